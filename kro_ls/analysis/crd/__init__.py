"""The CustomResourceDefinition of an RGD's instances: its generation, and whether a new one can replace an old one."""
