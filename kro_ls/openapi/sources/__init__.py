"""Where schemas come from: Kubernetes as bundled, CRD files, and what a cluster publishes."""
