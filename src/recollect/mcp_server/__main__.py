"""Start the pipe of one session: `python -I -S …/mcp_server/__main__.py`.

As with the hooks, a script is compiled anew at each start, so this file only finds the package.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the recorded interpreter may be another one by now
    sys.exit("Recollect is off: its Python is too old (3.11 or newer is needed).")

sys.path.append(__file__.rpartition("/recollect/")[0])

from recollect.mcp_server import pipe

pipe.run()
