"""What turns texts into vectors, so that texts which mean the same lie close together."""
