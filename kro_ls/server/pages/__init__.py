"""Views as pages in the user's browser, served on the loopback interface for editors that cannot draw them."""
