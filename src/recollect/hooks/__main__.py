"""Start a hook: `python -I -S …/hooks/__main__.py HOST EVENT PLUGIN_VERSION`.

A script is compiled anew at each start, a module is not: so this file only finds the
package. The folder is appended, because in front it would let site-packages shadow the
standard library.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the recorded interpreter may be another one by now
    if "SessionStart" in sys.argv:
        sys.stdout.write(
            '{"systemMessage":"Recollect is off: its Python is too old (3.11 or newer is needed).'
            ' Run: recollect setup"}'
        )
    sys.exit(0)

sys.path.append(__file__.rpartition("/recollect/")[0])

from recollect.hooks.run import main

main(sys.argv[1:])
