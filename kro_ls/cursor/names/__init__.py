"""What a name stands for: where it is declared, and where else it is written."""
