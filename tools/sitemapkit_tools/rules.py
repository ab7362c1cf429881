"""The rules of `sitemapkit check`: those of the build, and those of finished sites alone."""

from __future__ import annotations

from typing import get_args

from sitemapkit.model import Severity
from sitemapkit.rules import read_rules

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The severities, the worst first."""

_SHARED = {rule.id: rule for rule in read_rules("sitemapkit").values() if rule.checked}
RULES = {**_SHARED, **read_rules("sitemapkit_tools")}
"""All rules of a check by their ids, in the order of the tables."""
