"""One pass of kro over the nodes: what is rendered, what waits for what, and the status of the instance."""
