"""What is known of kinds beyond their schemas."""
