"""``python -m hlgnn``."""

from hlgnn.cli.main import main

if __name__ == "__main__":
    main()
