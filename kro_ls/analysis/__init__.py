"""What kro means: the model of a ResourceGraphDefinition and everything that follows from it."""
