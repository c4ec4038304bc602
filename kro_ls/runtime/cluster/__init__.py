"""What becomes of an instance in a simulated cluster, whose controllers act between the passes."""
