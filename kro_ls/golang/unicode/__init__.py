"""What Go knows about characters: classes, case, and which ones are printed."""
