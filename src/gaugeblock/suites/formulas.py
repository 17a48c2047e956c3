"""Closed formulas of the case files, evaluated without Python's own eval.

A formula may hold numbers, names, ``+ - * / **``, a sign, parentheses, the constant ``pi`` and the
functions ``sqrt asin min max`` (angles in radians) and ``ellipticK ellipticE``, the complete
elliptic integrals of the first and second kind of a modulus. Everything is computed in double
precision, so a huge power overflows at once instead of growing a huge integer. Nothing else of
Python is there: no attributes, subscripts, texts, comparisons, keywords or other calls.

Formulas are written by suite authors, but third parties may bring suites: they are held to be
input. Every fault is a one-line :class:`WrongUse` that says where.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping

import simpleeval

from gaugeblock.records.errors import WrongUse

FORMULA_CHARS = 500
"""Longest formula, characters: the longest of suite growth has about 130. A bound on the text is
also a bound on nesting and on the time an evaluation takes."""


AGM_CLOSE = 1e-16
"""Half difference of the two means at which they are one: each step squares it."""


def _power(base: float, exponent: float) -> float:
    value = base**exponent
    if isinstance(value, complex):
        raise ValueError("a negative number has no real root")
    return value


def _elliptic(modulus: float) -> tuple[float, float]:
    """Return K(k) and E(k) by the arithmetic-geometric mean (Abramowitz & Stegun 17.6)."""
    if not 0 <= modulus < 1:
        raise ValueError("the modulus of an elliptic integral lies from 0 to below 1")
    a, b, c = 1.0, math.sqrt((1 - modulus) * (1 + modulus)), modulus
    power, left = 0.5, 1 - 0.5 * modulus**2
    while abs(c) > AGM_CLOSE:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        power *= 2
        left -= power * c**2
    first = math.pi / (2 * a)
    return first, first * left


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "asin": math.asin,
    "min": min,
    "max": max,
    "ellipticK": lambda modulus: _elliptic(modulus)[0],
    "ellipticE": lambda modulus: _elliptic(modulus)[1],
}
CONSTANTS = {"pi": math.pi}
"""Names every formula knows."""

RESERVED = frozenset(_FUNCTIONS) | frozenset(CONSTANTS)
"""Names that no parameter or symbol may take."""


class _Arithmetic(simpleeval.SimpleEval):
    """simpleeval cut down to arithmetic on floats: no node type but these has a handler."""

    def __init__(self, names: Mapping[str, float]) -> None:
        super().__init__(operators=_OPERATORS, functions=_FUNCTIONS, names=dict(names))
        self.nodes = {
            ast.Expr: self._eval_expr,
            ast.BinOp: self._eval_binop,
            ast.UnaryOp: self._eval_unaryop,
            ast.Call: self._eval_call,
            ast.Name: self._number_of_name,
            ast.Constant: _number,
        }

    def _number_of_name(self, node: ast.Name) -> float:
        if node.id not in self.names:  # simpleeval would hand out a function of that name
            raise simpleeval.NameNotDefined(node.id, self.expr)
        return float(self.names[node.id])


def _number(node: ast.Constant) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise ValueError(f"{node.value!r} is no number")
    return float(node.value)


def evaluate(formula: str, names: Mapping[str, float], where: str) -> float:
    """Return a formula's value.

    Args:
        formula: the text, such as ``N*pi*3**2*2``.
        names: value by name; ``pi`` is added.
        where: what the formula is and where it stands, for the message.

    Raises:
        WrongUse: the formula is none of the above, names something unknown, or its value is not
            a finite real number.
    """
    if len(formula) > FORMULA_CHARS:
        raise WrongUse(f"{where}: longer than {FORMULA_CHARS} characters; split it into symbols")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # two expressions, or an assignment, is only a warning
            value = _Arithmetic({**CONSTANTS, **names}).eval(formula)
    except simpleeval.NameNotDefined as error:
        raise WrongUse(f"{where}: `{error.name}` is not defined in `{_short(formula)}`") from error
    except simpleeval.FunctionNotDefined as error:
        known = ", ".join(_FUNCTIONS)
        message = f"no function `{error.func_name}` in `{_short(formula)}`; there are {known}"
        raise WrongUse(f"{where}: {message}") from error
    except Exception as error:
        # Whatever else a text can provoke in parser, simpleeval or arithmetic is the text's fault.
        raise WrongUse(f"{where}: `{_short(formula)}`: {_one_line(error)}") from error
    if not isinstance(value, float) or not math.isfinite(value):
        raise WrongUse(f"{where}: `{_short(formula)}` gives {value!r}, no finite number")
    return value


def evaluate_symbols(
    parameters: Mapping[str, float], symbols: Mapping[str, str], where: str
) -> dict[str, float]:
    """Return the value of every parameter and symbol; a symbol may use those before it.

    Raises:
        WrongUse: as :func:`evaluate`, or a name is taken twice or reserved.
    """
    values: dict[str, float] = {}
    for name, number in parameters.items():
        _require_free(name, values, f"{where}, parameter `{name}`")
        values[name] = float(number)
    for name, formula in symbols.items():
        place = f"{where}, symbol `{name}`"
        _require_free(name, values, place)
        values[name] = evaluate(formula, values, place)
    return values


def spelled_out(formula: str, symbols: Mapping[str, str]) -> str:
    """Return a formula followed by the symbols it rests on, so that it can be read alone.

    Args:
        formula: the text; one that cannot be parsed is returned as it is.
        symbols: formula by symbol, in order of evaluation.
    """
    needed = _names(formula)
    lines: list[str] = []
    for name, meaning in reversed(list(symbols.items())):
        if name in needed:
            needed |= _names(meaning)
            lines.insert(0, f"{name} = {meaning}")
    return f"{formula}; with {', '.join(lines)}" if lines else formula


def _names(formula: str) -> set[str]:
    try:
        tree = ast.parse(formula, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _require_free(name: str, taken: Mapping[str, float], where: str) -> None:
    if name in RESERVED:
        raise WrongUse(f"{where}: the name belongs to the formula language")
    if name in taken:
        raise WrongUse(f"{where}: the name is taken already")
    if not name.isidentifier():
        raise WrongUse(f"{where}: no usable name; letters, digits and _ only")


def _short(formula: str) -> str:
    text = " ".join(formula.split())
    return text if len(text) <= 80 else f"{text[:79]}…"


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 160 else f"{text[:159]}…"
