"""Made-up values: of sample instances, and of the objects of a simulated cluster."""
