"""What kro must be allowed to do for definitions, and what roles allow."""
