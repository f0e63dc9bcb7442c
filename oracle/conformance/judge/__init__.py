"""Is the answer of an implementation right? What is asked, what is answered, and the checks."""
