"""Host logs and hook payloads become turns."""
