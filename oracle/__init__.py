"""Judges: what was done to a file, does it hold, and could this algorithm have done it?"""
