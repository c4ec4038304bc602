"""The bundled runtime: what kro would make of an instance or a Graph, without a cluster."""
