"""`python -m oracle`: the command `oracle`."""

import sys

from oracle.cli import main

if __name__ == "__main__":
    sys.exit(main())
