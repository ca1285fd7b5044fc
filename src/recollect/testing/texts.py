"""Texts to test with."""

# What files, terminals and transcripts are known to contain.
JUNK = (
    "\ud800 half a pair \udfff",
    "\0\x01\x1b[31mred\x1b[0m\x7f",
    "\u202eright to left\u202c \u200b\ufeff\ufffd",
    "e\u0301\u0302\u0303 " + "\u0301" * 300,
    "👩\u200d👧 🇪🇺 字 नमस्ते שלום",
    "[CLS] [SEP] <|endoftext|> </s>",
    "x" * 5_000,
    "\n" * 500,
)
