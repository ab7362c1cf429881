"""Templates of generators, compiled once: to compile those of a theme is half of a small build."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from jinja2 import BytecodeCache, Environment

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2.bccache import Bucket


class Kept(BytecodeCache):
    """Templates in a folder, each with the options that it was compiled with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        file = self._file(bucket)
        if file.exists():
            bucket.bytecode_from_string(file.read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        file = self._file(bucket)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(bucket.bytecode_to_string())
        new.replace(file)

    def _file(self, bucket: Bucket) -> Path:
        of = bucket.environment
        syntax = (of.block_start_string, of.variable_start_string, of.comment_start_string)
        space = (of.trim_blocks, of.lstrip_blocks, of.keep_trailing_newline)
        escapes = getattr(of.autoescape, "__qualname__", of.autoescape)
        kind = (of.sandboxed, of.is_async, escapes, sorted(of.extensions))
        made_with = repr((bucket.key, syntax, space, kind))
        return self.folder / hashlib.sha256(made_with.encode()).hexdigest()


def keep(folder: Path) -> None:
    """Let this process, and its copies, keep in a folder what they compile."""
    made = Environment.__init__

    def make(self: Environment, *arguments: Any, **options: Any) -> None:
        made(self, *arguments, **options)
        self.bytecode_cache = self.bytecode_cache or Kept(folder)

    Environment.__init__ = make  # type: ignore[method-assign]
