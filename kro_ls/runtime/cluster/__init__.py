"""A simulated cluster with one instance, whose controllers act between kro's passes."""
