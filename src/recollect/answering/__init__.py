"""What a hook is answered: chosen from the index, joined as the plain answer joins it."""
