"""kro's dialect as data, in small modules: what its definitions may say, how they are named, and which CEL they use.

The rooms above ask here and keep no list of their own. The data describes the newest release of kro. Each difference
between releases is data with one owner, so that another release is another value and not another branch:
fields and their constraints (`rgd_schema`), places of expressions (`places`), libraries,
functions and macros (`environment`, `library/`), markers and types of SimpleSchema (`simple_schema`), reserved names
(`names`, `labels`), limits (`limits`), feature gates (`feature_gates`), conditions (`conditions`), defaults
(`definition`).
"""
