"""The modules of kinds, `kro_ls.authoring.kinds.<group>.<version>`: what they are called and what they hold."""
