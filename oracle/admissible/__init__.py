"""Is a partition a possible run of an algorithm, under some way of breaking its ties?"""
