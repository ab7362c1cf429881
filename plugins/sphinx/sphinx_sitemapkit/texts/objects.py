"""Which Python objects documents show: noted when autodoc documents them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from sphinx.addnodes import desc_signature
from sphinx.util.inspect import safe_getattr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

Extent = Literal["whole", "row"]
"""How much a page shows of an object; a row is that of a table of autosummary."""

Object = tuple[str, str, Extent]
"""The Python file that defines an object, its name there, and how much of it is shown."""

_NOTES = "sitemapkit_objects"
"""Where Sphinx stores the objects of the document being read.

They are modules and names in them, by names in the document.
"""


_MOST_STEPS = 50
"""Classes and modules around an object, and imports of it, which may go round."""


def connect(app: Sphinx) -> None:
    """Note all objects that autodoc documents, if it is in use."""
    if "sphinx.ext.autodoc" in app.extensions:
        # Values without a docstring have only the second; handlers with a result end it.
        for event in ("autodoc-process-docstring", "autodoc-process-signature"):
            app.connect(event, note_object, priority=0)


def note_object(app: Sphinx, what: str, name: str, obj: object, *_args: object) -> None:
    """Note which module defines an object that autodoc documents, and under which name."""
    temp_data: Any = app.env.temp_data
    noted: dict[str, tuple[str, str]] = temp_data.setdefault(_NOTES, {})
    defined: Any = safe_getattr(obj, "fget", obj)
    module = str(safe_getattr(defined, "__module__", ""))
    inner = str(safe_getattr(defined, "__qualname__", ""))
    if what == "module":
        module, inner = name, ""
    elif what in ("attribute", "data") or not inner:  # a value does not know its name
        owner, _, last = name.rpartition(".")
        module, outer = noted.get(owner, (owner, ""))
        inner = f"{outer}.{last}".lstrip(".")
    noted[name] = module, inner


def documented(doctree: nodes.document, env: BuildEnvironment) -> Iterator[Object]:
    """Yield what of Python code the document that was just read documents."""
    for file, name, extent in [*_by_autodoc(doctree, env), *_by_autoapi(env)]:
        if file.endswith(".py"):
            # A class shows the parameters of these methods.
            for method in ("", ".__init__", ".__new__"):
                yield file, name + method, extent


def _by_autodoc(doctree: nodes.document, env: BuildEnvironment) -> Iterator[Object]:
    """Yield what was noted; a parallel reader imports the modules in its own process.

    What is not described is in a table of autosummary, if there is one.
    """
    noted: dict[str, tuple[str, str]] = env.temp_data.get(_NOTES) or {}
    if not noted:
        return
    from sphinx.ext.autosummary import autosummary_table  # noqa: PLC0415 - it loads autodoc

    has_table = any(doctree.findall(autosummary_table))
    described = set[str]()
    for signature in doctree.findall(desc_signature):
        if signature.get("module"):
            described.add(f"{signature['module']}.{signature['fullname']}")
    for path, (module, name) in noted.items():
        file = str(getattr(sys.modules.get(module), "__file__", ""))
        extent: Extent = "whole"
        if has_table and path not in described and f"module-{path}" not in doctree.ids:
            extent = "row"
        yield file, name, extent


def _by_autoapi(env: BuildEnvironment) -> Iterator[Object]:
    """Yield what sphinx-autoapi documents, which writes what it reads of code into documents."""
    objects: dict[str, Any] = getattr(env, "autoapi_all_objects", {})
    if not objects:
        return
    for name, entry in env.domaindata["py"]["objects"].items():
        if entry.docname == env.docname:
            yield from _file_around(name, objects)


def _file_around(name: str, objects: Mapping[str, Any]) -> Iterator[Object]:
    """Yield the file of an object and its name there: that of a class or module around it.

    An imported object is looked for where it is from.
    """
    outer, inner = name, ""
    for _ in range(_MOST_STEPS):
        stated: Mapping[str, Any] = {}
        if outer in objects:
            stated = objects[outer].obj
        file = stated.get("file_path")
        if file:
            yield str(file), inner, "whole"
            return
        imported = stated.get("original_path")
        if imported:
            outer = str(imported)
        else:
            outer, _, last = outer.rpartition(".")
            inner = f"{last}.{inner}".rstrip(".")
