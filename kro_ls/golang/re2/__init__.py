"""RE2 regular expressions as Go has them."""
