"""The pipeline every turn goes through: redact, synthesise, library, index."""
