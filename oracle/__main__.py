"""`python -m oracle`: the command `oracle`."""

import sys

from oracle.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
