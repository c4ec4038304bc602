"""The versions of kro: which there are, and what each brought (`history`)."""
