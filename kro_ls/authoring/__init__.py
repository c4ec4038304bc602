"""Makes definitions: from templates of ours and from manifests."""
