"""The door for files: a folder of what people already have becomes documents and gaps."""

from partywall.files.read import Reading, ReadSettings, Withheld, read

__all__ = ["ReadSettings", "Reading", "Withheld", "read"]
