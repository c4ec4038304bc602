"""What a change of definitions and instances does to the objects of each instance."""
