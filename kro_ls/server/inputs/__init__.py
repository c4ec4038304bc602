"""What documents are judged by beside their text: settings, kinds, commits, and the definitions that tests name."""
