"""Judge of answers: questions, answers, and checks.

Is the answer of an implementation right?
"""
