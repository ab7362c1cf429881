"""Extensions of the protocol for image and video search, one module for each."""
