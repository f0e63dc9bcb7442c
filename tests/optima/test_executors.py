"""Work that is divided, in processes and in a cluster, has the results of work that is not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from instances import Instance, drawn_rows, solved, tie_rich, write_instance

import oracle.commands.main
import oracle.commands.optimum_command
import oracle.commands.verify_command
from oracle.executors import Here, executor_of
from oracle.optima import Optimum, solve
from refagg.data.csvfiles import write_json
from refagg.errors import InvalidParameter, MissingExtra

PLANE = Instance(drawn_rows(random.Random(3), 40, 2, 1000), 3)
LONG = pytest.mark.long
MANY = [tie_rich(random.Random(seed)) for seed in range(24)]


@pytest.fixture(
    scope="module", params=["local", "processes", "dask", pytest.param("dask 2", marks=LONG)]
)
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    """What is written after --executor: of Dask, a worker in this process or two processes."""
    if not request.param.startswith("dask"):
        yield request.param
        return
    distributed = pytest.importorskip("distributed")
    several = request.param == "dask 2"
    cluster = distributed.LocalCluster(
        n_workers=1 + several, threads_per_worker=1, processes=several, protocol="tcp://",
        dashboard_address=None,
    )  # fmt: skip
    with cluster:
        yield f"dask://{cluster.scheduler_address.removeprefix('tcp://')}"


@pytest.fixture(scope="module")
def executor(name: str) -> Iterator[Executor]:
    with executor_of(name) as executor:
        yield executor


@pytest.fixture(scope="module")
def alone() -> Optimum:
    """The optimum of PLANE with no executor."""
    found = solve(PLANE.rows, PLANE.k, "columns")
    assert found.status == "optimal"
    return found


@pytest.fixture(scope="module")
def files(alone: Optimum, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """PLANE and its certificate."""
    folder = tmp_path_factory.mktemp("plane")
    proof, data = folder / "certificate.json", folder / "data.csv"
    write_json(proof, alone.certificate)
    write_instance(data, PLANE)
    return proof, data


# The same results


@pytest.mark.long
def test_optimum(executor: Executor, alone: Optimum) -> None:
    found = solve(PLANE.rows, PLANE.k, "columns", executor=executor)
    assert (found.status, found.partition, found.value) == (
        "optimal",
        alone.partition,
        alone.value,
    )
    assert found.certificate == alone.certificate


def test_many_instances(executor: Executor) -> None:
    assert list(executor.map(solved, MANY)) == list(map(solved, MANY))


def test_an_executor_of_ones_own(alone: Optimum) -> None:
    with ProcessPoolExecutor(2) as processes:
        found = solve(PLANE.rows, PLANE.k, "columns", executor=processes)
    assert found.certificate == alone.certificate


class Counting(Executor):
    """Counts what it does; where it is `broken`, it does nothing."""

    def __init__(self) -> None:
        self.submitted, self.broken = 0, False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.submitted += 1
        if self.broken:
            raise ConnectionError
        return Here().submit(fn, *args, **kwargs)


def test_work_goes_through_the_executor(alone: Optimum) -> None:
    counting = Counting()
    found = solve(PLANE.rows, PLANE.k, "columns", executor=counting)
    assert found.certificate == alone.certificate
    assert counting.submitted > 16


def test_an_executor_that_is_broken() -> None:
    counting = Counting()
    counting.broken = True
    with pytest.raises(ConnectionError):
        solve(PLANE.rows, PLANE.k, "columns", executor=counting)


def test_commands_hand_their_executor_on(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    counting, command = Counting(), ["optimum", files[1], "-k", 3, "--method", "columns"]
    module = oracle.commands.optimum_command
    monkeypatch.setattr(module, "executor_of", lambda text: nullcontext(counting))
    assert oracle.commands.main.main(list(map(str, command))) == 0
    assert counting.submitted > 0


# On the command line


def test_commands(
    name: str, files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, data = tmp_path / "certificate.json", files[1]
    options = ["-k", "3", "--standardise", "none", "--executor", name, "--quiet"]
    status = oracle.commands.main.main(
        ["optimum", str(data), *options, "--certificate", str(proof)]
    )
    assert status == 0
    assert json.loads(proof.read_bytes()) == json.loads(files[0].read_bytes())
    assert oracle.commands.main.main(["verify", str(proof), str(data)]) == 0
    assert "is optimal: no partition of the" in capsys.readouterr().out


# Executors by name


@pytest.mark.parametrize(
    "text", ["", "Local", "threads", "dask", "dask:", "dask://", "tcp://127.0.0.1:8786", "process"]
)
def test_what_names_no_executor(text: str) -> None:
    with pytest.raises(InvalidParameter, match="executor is"), executor_of(text):
        pytest.fail("there is no such executor")


@pytest.mark.parametrize(
    "address",
    ["nowhere", "a:b:c", " ", "a:", ":1", "a b:1", "tcp://127.0.0.1:1", "::1:8786", "a:123456"],
)
def test_what_is_no_address_of_a_scheduler(address: str) -> None:
    with (
        pytest.raises(InvalidParameter, match="is not the HOST:PORT of a Dask scheduler"),
        executor_of(f"dask://{address}"),
    ):
        pytest.fail("there is no such scheduler")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "[::1]:1", "127.0.0.1:99999"])
def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    distributed = pytest.importorskip("distributed")

    def client(address: str, timeout: str) -> Any:
        return Client(address, timeout="0.2s")

    Client = distributed.Client  # noqa: N806
    monkeypatch.setattr(distributed, "Client", client)
    with (
        pytest.raises(InvalidParameter, match="no Dask scheduler answers at"),
        executor_of(f"dask://{address}"),
    ):
        pytest.fail("there is no such scheduler")


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"'\.\[big\]'"), executor_of("dask://a:1"):
        pytest.fail("Dask is there after all")


def test_names_of_executors() -> None:
    with executor_of("local") as executor:
        assert isinstance(executor, Here)
    with executor_of("processes") as executor:
        assert isinstance(executor, ProcessPoolExecutor)
        assert executor.submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(divmod, 7, 2)


# The executor that does the work here


def test_here() -> None:
    with Here() as here:
        future = here.submit(divmod, 7, 2)
        assert future.done()
        assert future.result() == (3, 1)
        assert here.submit(int, "11", base=2).result() == 3
        assert list(here.map(pow, [2, 3], [3, 2])) == [8, 9]


def test_here_hands_over_errors() -> None:
    future = Here().submit(divmod, 1, 0)
    assert isinstance(future.exception(), ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        future.result()


def test_here_can_be_interrupted() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Here().submit(interrupt)
