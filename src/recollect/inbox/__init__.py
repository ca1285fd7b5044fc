"""Events on their way in: `spool` writes them, `drain` reads them."""
