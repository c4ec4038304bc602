"""What the chosen version of kro does not have."""
