"""Every remark on a build: what looks wrong in it, though everything was done as asked.

Functions of a rule or a few, in `after_selection`, `after_writing` and `addresses`; only `build`
calls them, and `check` for the rules that are about finished sites, too. What a step refuses,
leaves out or corrects, it reports itself.
"""
