"""What views of a definition show: pages in the browser, virtual documents, and pages that clients draw themselves."""
