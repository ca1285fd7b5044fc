"""The commands. Each parses, makes one call, and shows what came back."""
