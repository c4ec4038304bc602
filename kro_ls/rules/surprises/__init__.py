"""What kro accepts and what fails or surprises later."""
