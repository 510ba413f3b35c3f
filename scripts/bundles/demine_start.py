"""What the program `demine` of a bundle runs."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from demine.__main__ import main

    sys.exit(main())
