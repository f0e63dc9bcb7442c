"""The options of a release: each stands once, as a field of Grouping, Publishing or Layout."""
