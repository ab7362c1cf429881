"""Every remark on a build: what looks wrong in it, though everything was done as asked.

One function a rule, in `after_selection` and `after_writing`, each called by the step it follows.
What a step refuses, leaves out or corrects, it reports itself.
"""
