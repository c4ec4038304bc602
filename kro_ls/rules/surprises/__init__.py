"""What kro accepts, but what fails or surprises later."""
