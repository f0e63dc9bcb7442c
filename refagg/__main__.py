"""`python -m refagg`: the command `refagg`."""

import sys

from refagg.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
