"""The garbage collector, which is at rest while a sitemap is made.

It would search all objects of the site again and again, and find nothing: what is made here is
either needed until the sitemap is written or gone without its help.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def at_rest() -> Generator[None]:
    """Keep the collector out of this block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
