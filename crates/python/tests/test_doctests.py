"""The examples of all docstrings are run, those of built-in classes too, and everything public has one."""

import doctest
import inspect
import types

import pytest

import garrison

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def documented():
    """Every public object with its name: functions, classes, methods and attributes."""
    for name in garrison.__all__:
        thing = getattr(garrison, name)
        if isinstance(thing, (str, types.ModuleType)):
            continue
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for base in (base for base in thing.__mro__ if base.__module__.startswith("garrison")):
                for member, value in vars(base).items():
                    if not member.startswith("_"):
                        yield f"{name}.{member}", value


OBJECTS = dict(documented())


def doc_of(thing):
    return inspect.getdoc(thing) or ""


@pytest.mark.parametrize("name", OBJECTS)
def test_everything_public_is_documented(name):
    assert doc_of(OBJECTS[name]).strip(), name


WITH_EXAMPLES = [name for name, thing in OBJECTS.items() if ">>>" in doc_of(thing)]


def test_there_are_examples():
    assert len(WITH_EXAMPLES) >= 30


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name):
    text = doc_of(OBJECTS[name])
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    report = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert not report, "".join(report)
