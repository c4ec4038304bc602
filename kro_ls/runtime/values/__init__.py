"""Values for what nobody has written down: of sample instances, and of the objects of a simulated cluster."""
