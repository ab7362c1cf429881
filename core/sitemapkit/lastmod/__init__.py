"""When the text of each page last changed: `resolver` asks the sources of dates in their order."""
