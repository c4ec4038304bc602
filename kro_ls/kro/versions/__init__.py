"""The versions of kro, and what each changed (`history`)."""
