"""Options of a release.

Each stands once, as a field of Grouping, Publishing or Layout.
"""
