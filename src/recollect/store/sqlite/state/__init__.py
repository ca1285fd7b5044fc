"""What is not Markdown: projects and aliases, sessions, drafts, what was recorded."""
