"""The pack: the definitions of well-known projects in one file, which is asked last."""
