"""What makes one file unreadable, and where."""


class BrokenFileError(Exception):
    """A file cannot be read as what it is; the place is a line and a column, both counted from 1, or a byte offset within the words."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None, remedy: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.column = column
        self.remedy = remedy

    def place(self, name: str) -> str:
        """Return `file:line:column`, as far as it is known."""
        return ":".join([name, *(str(part) for part in (self.line, self.column) if part is not None)])


def line_and_column(text: str, index: int) -> tuple[int, int]:
    """Return the line and the column, both counted from 1, of a place in a text."""
    return text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1
