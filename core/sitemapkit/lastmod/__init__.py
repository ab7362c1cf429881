"""When each page's text last changed: `resolver` asks the sources of dates in order."""
