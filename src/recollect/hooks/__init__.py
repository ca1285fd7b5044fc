"""The hot path: what runs inside the host's hooks. Imports nothing that costs."""
