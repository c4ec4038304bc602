"""What is being typed at a place, half-written as it is."""
