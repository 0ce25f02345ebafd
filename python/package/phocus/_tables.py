"""Results as tables of pandas and of Arrow, which are imported when they are asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import pyarrow

#: The names of columns with the type of their values.
Columns = dict[str, type]


def needed(package: str, extra: str) -> Any:
    """A package that is no part of phocus."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        text = f"this needs {package}: pip install 'phocus[{extra}]'"
        raise ImportError(text, name=package) from error


class Table:
    """Rows that can be made a table."""

    def _rows(self) -> tuple[Columns, list[tuple[Any, ...]]]:
        raise NotImplementedError

    def _columns(self) -> tuple[Columns, dict[str, list[Any]]]:
        columns, rows = self._rows()
        listed = zip(*rows) if rows else [()] * len(columns)
        return columns, {name: list(values) for name, values in zip(columns, listed)}

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas frame with a row for each of them."""
        pandas = needed("pandas", "pandas")
        types, columns = self._columns()
        series = {}
        for name, values in columns.items():
            dtype = {int: "int64", float: "float64"}.get(types[name])
            series[name] = pandas.Series(values, dtype=dtype or (None if values else object))
        return pandas.DataFrame(series)

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table with a row for each of them."""
        pyarrow = needed("pyarrow", "arrow")
        types, columns = self._columns()
        known = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
        schema = pyarrow.schema([(name, known[types[name]]) for name in columns])
        return pyarrow.table(columns, schema=schema)
