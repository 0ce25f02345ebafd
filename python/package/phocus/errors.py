"""What can go wrong, as exceptions.

All are a :class:`phocus.Error`, and most are also the exception of Python that fits: an argument
that makes no sense is a :class:`ValueError`, a file that is not there a
:class:`FileNotFoundError`. Their texts say what was expected, what was found and what to do.

>>> import phocus
>>> try:
...     phocus.layout(r"\\hspace{1em}")
... except phocus.Error as error:
...     print(type(error).__name__)
FormulaError
"""

__all__ = [
    "ArgumentError",
    "BuildError",
    "Error",
    "FormulaError",
    "IndexFileError",
    "IndexNotFoundError",
    "InputError",
    "InputNotFoundError",
    "InternalError",
    "NoTextsError",
    "UnknownFormulaError",
]


class Error(Exception):
    """Any error of phocus."""


class ArgumentError(Error, ValueError):
    """An argument is not one of those that are expected."""


class FormulaError(Error, ValueError):
    """A formula cannot be read or drawn."""


class UnknownFormulaError(Error, LookupError):
    """The index has no formula of this id."""


class NoTextsError(Error):
    """The index has no texts, so it answers no questions."""


class IndexFileError(Error, OSError):
    """A file is not an index, is of another version, or is damaged."""


class IndexNotFoundError(IndexFileError, FileNotFoundError):
    """There is no such index, or no such folder for one."""


class InputError(Error, OSError):
    """Formulas, topics or judgments cannot be read from a file."""


class InputNotFoundError(InputError, FileNotFoundError):
    """There is no such file of formulas, topics or judgments."""


class BuildError(Error):
    """An index cannot be built of what was added."""


class InternalError(Error):
    """A mistake in phocus. Please report it with what led to it."""


for _name in __all__:
    # Tracebacks show them where they are used from.
    globals()[_name].__module__ = "phocus"
