"""What Kubernetes' own controllers write into objects, when all goes well."""
