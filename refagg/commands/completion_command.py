"""The command `refagg completion`: a completion script for a shell.

The shell completes commands, options and their values.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field

from refagg.catalogue import CATALOGUE
from refagg.commands.options import add, argument, declare
from refagg.commands.starting import Parser

BASH = """_{name}_completed() {{
  local words="" place="${{COMP_WORDS[1]}}"
  [ "$COMP_CWORD" = 1 ] && place=""
  case "$place $3" in
{values}
    *) case "$place" in
{words}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$2"))
}}
complete -o default -F _{name}_completed {program}
"""


@dataclass(frozen=True, slots=True)
class Words:
    """The words, options and option values that can follow a command.

    Values of options are kept by flag.
    """

    meaning: str
    first: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)


def add_options(parser: Parser) -> None:
    """Declare the argument: the shell."""
    parser.description = (
        'Use it by eval "$(refagg completion bash)" in ~/.bashrc, or zsh in ~/.zshrc, or by '
        "refagg completion fish | source in config.fish. `refagg-oracle completion` completes "
        "refagg-oracle, or, with --for oracle, the other name of this command."
    )
    add(parser, [argument("shell", "", "", read=str, choices=("bash", "zsh", "fish"))])
    parser.add_argument("--for", dest="named", metavar="NAME", help="the name of the command")
    parser.set_defaults(run=run, commands=parser.commands, program=parser.prog.split()[0])


def run(given: argparse.Namespace) -> int:
    """Carry out the command."""
    name = given.named or given.program
    found = {command: completed_words(command, *of) for command, of in given.commands.items()}
    print(fish(name, found) if given.shell == "fish" else bash(name, found, given.shell == "zsh"))
    return 0


def completed_words(name: str, package: str, meaning: str) -> Words:
    """Return the words of a command, as its parser has them."""
    made = Words(meaning)
    if name == "completion":
        return Words(meaning, ["bash", "zsh", "fish"], ["--for"])
    parser = Parser()
    declare(parser, package, name)
    for action in parser._actions:
        choices = list(map(str, action.choices or ()))
        if not action.option_strings:
            made.first.extend(choices)
        made.options.extend(action.option_strings)
        for flag in action.option_strings:
            if choices or flag == "--algorithm":
                made.values[flag] = choices or list(CATALOGUE)
    return made


ZSH = "autoload -U compinit bashcompinit; (($#_comps)) || compinit; bashcompinit\n"
"""What zsh needs before that: its own completion, unless it is there, and that of bash."""


def bash(name: str, commands: dict[str, Words], zsh: bool) -> str:
    """Return the script for bash; zsh reads it, too."""
    values = [
        f'    "{command} {flag}") words="{" ".join(choices)}" ;;'
        for command, words in commands.items()
        for flag, choices in words.values.items()
    ]
    lines = [
        f'      {command}) words="{" ".join(words.first)}"\n'
        f'        case "$2" in -*) words="{" ".join(words.options)}" ;; esac ;;'
        for command, words in commands.items()
    ]
    lines.append(f'      "") words="{" ".join(commands)}" ;;')
    made = {"values": "\n".join(values), "words": "\n".join(lines)}
    return (ZSH if zsh else "") + BASH.format(name=name.replace("-", "_"), program=name, **made)


def fish(name: str, commands: dict[str, Words]) -> str:
    """Return the script for fish."""
    return "\n".join(_fish_lines(name, commands))


def _fish_lines(name: str, commands: dict[str, Words]) -> Iterator[str]:
    for command, words in commands.items():
        first = "test (count (commandline -opc)) -eq 1"
        yield f"complete -c {name} -f -n '{first}' -a {command} -d '{words.meaning}'"
        here = f"__fish_seen_subcommand_from {command}"
        if words.first:
            yield f"complete -c {name} -n '{here}' -a '{' '.join(words.first)}'"
        for option in words.options:
            flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            taken = f" -x -a '{' '.join(words.values[option])}'" if option in words.values else ""
            yield f"complete -c {name} -n '{here}' {flag}{taken}"
