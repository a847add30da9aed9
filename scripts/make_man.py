"""SPDX-License-Identifier: MIT

Writes the man pages, weft.1 and weft-COMMAND.1 for every command, from what the program itself says.

    make_man.py PROGRAM FOLDER

The help of a command, in the shape that argp gives it, has these parts: usage lines; what it does; groups of
options; paragraphs, of which those that begin with "Example:" and "Exit status:" get their own sections.
"""

import os
import re
import subprocess
import sys

# Wide enough that nothing is broken: an entry of an option is one line.
SHAPE = "rmargin=9000,opt-doc-col=70,long-opt-col=6,short-opt-col=2,header-col=1,usage-indent=4"

OPTION = re.compile(r"^ +(?:(-.), )?(--[a-z][a-z-]*)(\[?=\S+)?(?: +(\S.*))?$")
GROUP = re.compile(r"^ (\S.*):$")
STATUS = re.compile(r"(\d+) (.*)")

PAGE = "SPDX-License-Identifier: MIT"

STATUSES = [
    ("0", "done"),
    ("1", "anything else: out of memory, a file that could not be written, a failure of LAPACK"),
    ("2", "wrong usage: an unknown option, a value out of its range, options that contradict each other, a bad SPEC"),
    ("3", "bad input: a file that cannot be read, a malformed line, an unknown id, no room for an id"),
    ("4", "a model that is damaged, of another version, or does not fit"),
    ("130", "interrupted (Ctrl-C): the trial is finished, and what there is was written"),
]

ENVIRONMENT = [
    ("OPENBLAS_CORETYPE", "the processor that OpenBLAS takes its kernels for, where it does not know the one it runs "
                          "on; \"weft --version\" tells which it took.  Only the reference engine calls it, on one "
                          "thread"),
]


def ask(program, *arguments):
    environment = dict(os.environ, LC_ALL="C", ARGP_HELP_FMT=SHAPE)
    done = subprocess.run([program, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=True)
    return done.stdout.decode("utf-8")


# ---- Reading help ----


def commands(program):
    """[(name, purpose)] of every command."""
    return re.findall(r"^  weft ([a-z]+) +(\S.*)$", ask(program, "--help"), re.M)


class Help:
    """usages: lines; purpose: text; groups: [(title or "", [(flags, argument, text)])]; paragraphs: lists of lines."""

    def __init__(self, text):
        lines = text.rstrip("\n").split("\n")
        self.usages = [re.sub(r"^(Usage:|  or: ) +", "", line) for line in lines if re.match(r"(Usage:|  or: ) ", line)]
        rest = lines[len(self.usages):]
        start = next(k for k, line in enumerate(rest) if OPTION.match(line) or GROUP.match(line))
        end = max(k for k, line in enumerate(rest) if OPTION.match(line)) + 1
        self.purpose = " ".join(line for line in rest[:start] if line)
        self.groups = self.read_groups(rest[start:end])
        self.paragraphs = self.read_paragraphs(rest[end:])

    @staticmethod
    def read_groups(lines):
        groups = [("", [])]
        for line in lines:
            option, group = OPTION.match(line), GROUP.match(line)
            if group:
                groups.append((group.group(1), []))
            elif option:
                short, name, argument, text = option.groups()
                groups[-1][1].append((", ".join(filter(None, (short, name))), argument or "", text or ""))
            elif line:
                raise ValueError(f"neither an option nor a group: {line!r}")
            elif groups[-1][1]:
                groups.append(("", []))
        return [group for group in groups if group[1]]

    @staticmethod
    def read_paragraphs(lines):
        paragraphs = [[]]
        for line in lines:
            if line:
                paragraphs[-1].append(line)
            elif paragraphs[-1]:
                paragraphs.append([])
        # Mandatory or optional arguments: argp's own remark, which SYNOPSIS makes plain.
        return [p for p in paragraphs if p and not p[0].startswith("Mandatory or optional arguments")]


# ---- Writing man macros ----


def escape(text):
    text = text.replace("\\", r"\e")
    text = re.sub(r"`([^`']*)'", r"\\(oq\1\\(cq", text)
    for plain, macro in (("-", r"\-"), ("^", r"\(ha"), ("~", r"\(ti"), ("`", r"\(ga"), ("'", r"\(aq")):
        text = text.replace(plain, macro)
    return r"\&" + text if text[:1] in (".", "'") else text


def quoted(text):
    return '"' + escape(text).replace('"', r"\(dq") + '"'


def write_paragraph(lines):
    """Indented lines stay as they are."""
    out, literal = [".PP"], False
    for line in lines:
        indented = line.startswith(" ")
        if indented != literal:
            out += [".RS", ".nf"] if indented else [".fi", ".RE"]
            literal = indented
        out.append(escape(line.removeprefix("  ").rstrip()))
    return out + ([".fi", ".RE"] if literal else [])


def write_options(groups):
    out = []
    for title, options in groups:
        if title:
            out.append(f".SS {quoted(title)}")
        for flags, argument, text in options:
            optional = argument.startswith("[")
            word = argument.strip("[]").lstrip("=")
            shown = rf"\fB{escape(flags)}\fR"
            if word:
                shown += rf"[=\fI{escape(word)}\fR]" if optional else rf"=\fI{escape(word)}\fR"
            out += [".TP", shown, escape(text) if text else r"\&"]
    return out


def write_statuses(text):
    out = []
    for item in re.split(r", (?=\d+ )", text.rstrip(".")):
        number, meaning = STATUS.fullmatch(item).groups()
        out += [".TP", number, escape(meaning)]
    return out


def head(title, version, name, purpose):
    return [r'.\" ' + PAGE + ", written by scripts/make_man.py", f'.TH {title} 1 "" {quoted("weft " + version)} "weft"',
            ".SH NAME", f"{escape(name)} \\- {escape(purpose)}"]


def command_page(name, purpose, text, version, others):
    help_of = Help(text)
    out = head(f"WEFT-{name.upper()}", version, f"weft-{name}", purpose) + [".SH SYNOPSIS", ".nf"]
    out += [r"\fB" + escape(f"weft {name}") + r"\fR" + escape(usage.removeprefix(f"weft {name}")) for usage in help_of.usages]
    out += [".fi", ".SH DESCRIPTION", escape(help_of.purpose)]
    sections = {"Example": [], "Exit status": []}
    for lines in help_of.paragraphs:
        topic = next((topic for topic in sections if re.match(rf"{topic}s?:", lines[0])), None)
        if topic:
            sections[topic].append(re.sub(rf"^{topic}s?: ?", "", "\n".join(lines)).strip("\n").split("\n"))
        else:
            out += write_paragraph(lines)
    out += [".SH OPTIONS"] + write_options(help_of.groups)
    out += [".SH EXIT STATUS"] + [line for lines in sections["Exit status"] for line in write_statuses(" ".join(lines))]
    out += [".SH EXAMPLES"] + [line for lines in sections["Example"] for line in write_paragraph(lines)]
    out += [".SH SEE ALSO"] + see_also(["weft"] + [f"weft-{other}" for other in others])
    return out


def see_also(names):
    return [rf"\fB{escape(name)}\fR(1)" + ("," if k < len(names) - 1 else "") for k, name in enumerate(names)]


def main_page(program, version, table):
    purpose = " ".join(ask(program, "--help").split("\n\n")[0].split("\n")[1:])
    out = head("WEFT", version, "weft", "online completion of binary matrices with side information")
    out += [".SH SYNOPSIS", ".nf", r"\fBweft\fR \fICOMMAND\fR ...", r"\fBweft\fR \-\-help | \-\-version", ".fi",
            ".SH DESCRIPTION", escape(purpose), ".SH COMMANDS"]
    for name, what in table:
        out += [".TP", rf"\fB{escape(f'weft-{name}')}\fR(1)", escape(what)]
    out += [".SH OPTIONS", ".TP", r"\fB\-\-help\fR", "list the commands", ".TP", r"\fB\-\-version\fR",
            "print the version, and the BLAS core in use", ".SH EXIT STATUS"]
    for number, what in STATUSES:
        out += [".TP", number, escape(what)]
    out += [".SH ENVIRONMENT"]
    for name, what in ENVIRONMENT:
        out += [".TP", escape(name), escape(what)]
    return out + [".SH SEE ALSO"] + see_also([f"weft-{name}" for name, _ in table])


def pages(program):
    """{file name: text}"""
    version = re.match(r"weft (\S+)", ask(program, "--version")).group(1)
    table = commands(program)
    made = {"weft.1": main_page(program, version, table)}
    for name, purpose in table:
        others = [other for other, _ in table if other != name]
        made[f"weft-{name}.1"] = command_page(name, purpose, ask(program, name, "--help"), version, others)
    return {name: "\n".join(lines) + "\n" for name, lines in made.items()}


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    for name, text in pages(program).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
