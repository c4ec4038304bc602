"""Every known kind as a class, in a module for each group and version: `kro_ls.authoring.kinds.apps.v1.Deployment`.

Kubernetes' groups have the names of its Go packages: `core`, `apps`, `networking`, `rbac`. Any other group has its
whole name, with `_` for characters that Python names lack: `cert_manager_io`. The classes are made from the schemas
when they are imported; type checkers and editors read the stubs beside this file.
"""

from kro_ls.authoring.kind_modules.kind_classes import install

install()
