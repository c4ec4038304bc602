"""The modules of kinds, `kro_ls.authoring.kinds.<group>.<version>`: their names and contents."""
