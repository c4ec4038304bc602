"""What the API server makes of an object when it stores it: defaults, conversions, allocations and metadata."""
