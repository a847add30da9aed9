"""SPDX-License-Identifier: MIT

Figures of a document that follow from others in it: summaries of its tables.  tests/docs/run_docs.py compares what is
printed with the document, so that a table that was made again cannot leave its summary behind.

    derived_figures.py DOCUMENT
"""

import math
import os
import re
import sys


def rows_of(text, head):
    """The rows of every table whose first line begins with `head`, as lists of cells."""
    tables = []
    for match in re.finditer(r"^" + re.escape(head) + r".*\n\|[-:|]+\n((?:\|.*\n)*)", text, re.M):
        tables.append([[cell.strip() for cell in line.split("|")[1:-1]] for line in match.group(1).splitlines()])
    return tables


# ---- committee.md ----


def per_cent(share):
    return f"{100 * share:.0f} %"


def committee(text):
    table = rows_of(text, "| stream | trials | committee |")[0]
    drift = {row[0]: row for row in rows_of(text, "| stream | trials | committee | started anew |")[0]}
    terms = [float(row[6]) for row in table]
    print(f"it is {math.ceil(min(terms))} to {math.ceil(max(terms))} mistakes")
    print(f"at most {max(float(row[5]) for row in table):.3f} times the best member")
    switching = [row for name, row in drift.items() if name.startswith("switching")]
    more = sorted(float(row[4]) - 1 for row in switching if "nothing" not in row[0])
    least, most = per_cent(more[0]), per_cent(more[-1])
    print(f"a truth that switches costs {per_cent(float(drift['switching, nothing known'][4]) - 1)} more mistakes than a restart "
          f"at the right moments where nothing is known, and {least if least == most else f'{least} to {most}'} more with "
          f"classes or graphs")


# ---- graphs.md ----


def diffusion_words(kernel):
    return "time " + re.search(r"time=(\d+)", kernel).group(1) + ("" if "scale=unit" in kernel else ", not scaled")


def graphs(text):
    """The table at the top, from the tables of the three streams as one set and as two sides."""
    print("| | none | PDLaplacian | best regularised | best diffusion | which |\n|---|--:|--:|--:|--:|---|")
    sets, sides = rows_of(text, "| one set of ids |"), rows_of(text, "| two sides |")
    for stream, tables in zip(("football", "polblogs", "cora"), zip(sets, sides)):
        for form, table in zip(("one set", "two sides"), tables):
            best = {row[0].strip("`"): row[4] for row in table}

            def least(kind):
                return min((value, name) for name, value in best.items() if name.startswith("kernel=" + kind))

            diffusion, which = least("diffusion")
            print(f"| {stream}, {form} | {best['none']} | {best['kernel=pdlaplacian']} | {least('regularised')[0]} | "
                  f"**{diffusion}** | {diffusion_words(which)} |")


# ---- real-data.md ----

VERDICT = re.compile(r"(?:the side information(?: of the (rows))?|that of (?:the (columns)|(both) together)) "
                     r"(helps|hurts|makes no difference)[^(]*"
                     r"\(([\d.]+) without it, ([\d.]+) with it, ([\d.]+) with it shuffled")
RIVALS = re.compile(r"weft \([\d.]+\) is (better than|worse than|not different beyond noise from) the rivals \(([\d.]+)")
WORDS = {"makes no difference": "no difference", "better than": "better", "worse than": "worse",
         "not different beyond noise from": "no difference"}


def real_data(text):
    """The table at the top, from the sentence below every other."""
    head = "| stream | trials | weft without | weft with |"
    shown = rows_of(text, head)[0]
    sentences = [" ".join(found.split()) for found in re.findall(r"^By .*?(?=^```)", text, re.M | re.S)]
    print("| stream | trials | weft without | weft with | the same shuffled | rivals | side information | "
          "weft against rivals |\n|---|--:|--:|--:|--:|--:|---|---|")
    if len(shown) != len(sentences):
        sys.exit(f"{len(shown)} lines of the table, but {len(sentences)} sentences")
    for row, sentence in zip(shown, sentences):
        verdicts = VERDICT.findall(sentence)
        told = [(side + " " if len(verdicts) > 1 else "") + WORDS.get(verdict, verdict)
                for rows, columns, both, verdict, *_ in verdicts for side in [rows or columns or both]]
        against, rivals = RIVALS.search(sentence).groups()
        print(f"| {row[0]} | {row[1]} | {' | '.join(verdicts[-1][4:])} | {rivals} | {', '.join(told)} | {WORDS[against]} |")


def cold(text):
    """The table of first trials: the two cold columns of the tables named by their place in the document."""
    shown = re.findall(r"^```text\n(.*?)^```", text, re.M | re.S)
    print("\n| | senate116 new rows | new columns | senate113 new rows | new columns |\n|---|--:|--:|--:|--:|")
    for row in rows_of(text, "| | senate116 new rows |")[0]:
        first = 4 if row[0].startswith("first 20,000: ") else 0
        name = row[0].removeprefix("first 20,000: ")
        found = [re.search(rf"^{re.escape(name)}  .*", block, re.M).group(0) for block in shown[first:first + 2]]
        print(f"| {row[0]} | " + " | ".join(" | ".join(re.findall(r"\b\d\.\d{4}\b", line)[-2:]) for line in found) + " |")


DOCUMENTS = {"committee.md": committee, "graphs.md": graphs, "real-data.md": lambda text: (real_data(text), cold(text))}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        DOCUMENTS[os.path.basename(sys.argv[1])](file.read())


if __name__ == "__main__":
    main()
