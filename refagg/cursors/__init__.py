"""What the text of an algorithm holds while it runs: records that remain, groups, choices."""
