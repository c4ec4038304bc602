"""What becomes of a Graph: its own passes, in the same simulated cluster."""
