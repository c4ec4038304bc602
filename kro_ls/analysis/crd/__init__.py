"""The CustomResourceDefinition of an RGD's instances: its generation, and whether a new one can replace an old one."""

from kro_ls.analysis.crd.compatibility import compare_crds
from kro_ls.analysis.crd.generate import generate_crd

__all__ = ["compare_crds", "generate_crd"]
