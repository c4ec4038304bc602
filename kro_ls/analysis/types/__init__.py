"""What each name is, what each expression gives, what each field takes, and what the status becomes."""
