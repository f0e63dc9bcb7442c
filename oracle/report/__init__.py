"""Result pages: what a judgement found, for a browser.

There is JSON beside the page.
"""
