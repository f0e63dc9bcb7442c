from __future__ import annotations

import pytest
import strategies as _profiles  # noqa: F401
from hypothesis import given
from hypothesis import strategies as st

from refagg.errors import InvalidK, InvalidPartition, KTooLarge
from refagg.language.partition import Partition, check_k, set_text

labelled = st.lists(st.integers(0, 4), min_size=1, max_size=12)


def test_groups_and_their_records_are_put_in_order() -> None:
    assert Partition.of([[4, 2], [5], [3, 0, 1]]).groups == ((0, 1, 3), (2, 4), (5,))


def test_partitions_that_group_alike_are_equal_and_hash_alike() -> None:
    one, other = Partition.of([[0, 1], [2]]), Partition.of([[2], [1, 0]])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Partition.of([[0, 2], [1]])


def test_groups_may_be_any_iterables() -> None:
    groups = (iter(group) for group in [{1}, range(2, 4), (0,)])
    assert Partition.of(groups).groups == ((0,), (1,), (2, 3))


@pytest.mark.parametrize(
    ("groups", "n", "message"),
    [
        ([[0, 1], []], None, "a group has no record"),
        ([[0], [2]], None, "record 2 is in a group, but the records are 0 to 1"),
        ([[0], []], 1, "a group has no record"),
        ([[-1], [0]], None, "record -1 is in a group, but the records are 0 to 1"),
        ([[0, 1], [2, 3]], 3, "record 3 is in a group, but the records are 0 to 2"),
        ([[0, 1], [1]], None, "record 1 is in two groups"),
        ([[0, 0], [1]], 2, "record 0 is in two groups, or twice in one"),
        ([[0], [2]], 3, "record 1 is in no group"),
        ([[0, 1]], 4, "record 2 is in no group"),
        ([], 1, "record 0 is in no group"),
    ],
)
def test_what_is_not_a_partition_is_refused(
    groups: list[list[int]], n: int | None, message: str
) -> None:
    with pytest.raises(InvalidPartition, match=message):
        Partition.of(groups, n)


@pytest.mark.parametrize(
    ("labels", "groups"),
    [
        ("a", ((0,),)),
        ("baba", ((0, 2), (1, 3))),
        ([2, 1, 1, None], ((0,), (1, 2), (3,))),
        ([], ()),
    ],
)
def test_equal_labels_share_a_group(labels: list[object], groups: object) -> None:
    assert Partition.from_labels(labels).groups == groups


def test_labels_are_the_positions_of_the_groups() -> None:
    assert Partition.of([[3, 1], [2, 0], [4]]).labels() == [0, 1, 0, 1, 2]


@given(labelled)
def test_labels_describe_their_partition(labels: list[int]) -> None:
    partition = Partition.from_labels(labels)
    assert Partition.of(partition.groups, len(labels)) == partition
    assert Partition.from_labels(partition.labels()) == partition
    for a, one in enumerate(labels):
        for b, other in enumerate(labels):
            assert (one == other) == any(a in g and b in g for g in partition.groups)


def test_sizes() -> None:
    partition = Partition.of([[0, 1], [2, 3], [4, 5, 6], [7]])
    assert partition.n == 8
    assert list(partition.sizes().items()) == [(1, 1), (2, 2), (3, 1)]
    assert partition.smallest() == 1
    assert partition.largest() == 3
    assert partition.number == 4
    assert partition.first_smallest() == (7,)


def test_a_partition_in_a_notebook_shows_no_row() -> None:
    partition = Partition.of([[0, 1], [2, 3], [4, 5, 6]])
    assert repr(partition) == "<Partition of 7 records: {0, 1}, {2, 3}, {4, 5, 6}>"
    assert partition._repr_html_() == f"<p>{repr(partition)[1:-1]}</p>"
    columns = partition.overview().columns()
    assert {name: list(values) for name, values in columns.items()} == {
        "record": [0, 1, 2, 3, 4, 5, 6],
        "group": [0, 0, 1, 1, 2, 2, 2],
    }


def test_a_set_as_text_says_how_many_are_left_out() -> None:
    assert set_text([2, 1], 2) == "{1, 2}"
    assert set_text([2, 1, 3], 2) == "{1, 2 and 1 more}"


@pytest.mark.parametrize(("k", "n"), [(1, 1), (3, 3), (2, 10)])
def test_a_k_that_is_possible(k: int, n: int) -> None:
    assert check_k(k, n) == k


@pytest.mark.parametrize("k", [0, -1, 2.0, "3", None, True, False])
def test_a_k_that_is_no_whole_number_of_at_least_1(k: object) -> None:
    with pytest.raises(InvalidK, match="at least 1"):
        check_k(k, 10)


@pytest.mark.parametrize(("n", "records"), [(1, "1 record"), (0, "0 records"), (2, "2 records")])
def test_a_table_of_fewer_records_than_k(n: int, records: str) -> None:
    with pytest.raises(KTooLarge, match=f"has only {records};"):
        check_k(3, n)


def test_a_k_that_is_too_large() -> None:
    with pytest.raises(KTooLarge, match=r"k is 4, but stratum 'a' has only 3 records"):
        check_k(4, 3, "stratum 'a'")
