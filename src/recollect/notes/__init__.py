"""What holds: rules that people state, and how they are recognised."""
