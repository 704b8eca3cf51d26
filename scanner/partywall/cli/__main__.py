"""`python -m partywall.cli`."""

from partywall.cli import main

main()
