"""What is kept, and the Markdown it is kept in."""
