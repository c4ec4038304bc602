"""What the API server refuses of objects, beyond what a schema says: tables by kind, and their checks."""
