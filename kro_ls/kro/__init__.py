"""kro's dialect as data: names it keeps, its own kinds and their fields."""
