"""Algorithms of the catalogue: one file for each paper or family.

A file has a docstring with the source, the numbered steps and an example, the text of the algorithm
with the numbers of its steps, and a `SPECIFICATION`. A text is written with the verbs of a cursor
(`refagg.cursors`), which stands for what there is at some time of the run: it makes all choices by
their names, shows the progress, and tells a judge what the rest of the run depends on. Each cursor
has its letter:

    R   `remaining.Cursor`         the records that are not assigned yet, and the groups formed
    G   `groups.Groups`            groups that cover all records and may still change
    C   `clusters.Clusters`        clusters that merge, two by two
    P   `parts.Parts`              parts of the file that wait to be divided
    T   `trees.Trees`              a spanning tree, and the trees into which it is cut
    F   `forest.Forest`            trees of records that are joined to others, then divided
    S   `sorted.Sorted`            records in the order of a number, of which the next are a group
    V   `sequence.RecordSequence`  values in order, or a path, whose runs are groups
    M   `points.Points`            means or modes that move, with the records nearest to each
    X   `rows.Rows`                rows of floats, for fuzzy c-means, whose centres are V

The other letters are those of the papers: k is the least size of a group and n the number of
records; C in t-closeness is a group, Q the distribution of the confidential attribute in the file;
N(x) in DBA and G(x) in GSMS are a record with its nearest; D in RMD is a distance from the centre.
"""
