"""What must not be kept: blocks that are cut out, secrets that are replaced."""
