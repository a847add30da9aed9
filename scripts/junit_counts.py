"""SPDX-License-Identifier: MIT

Reads a JUnit file of ctest and prints `PASSED FAILED SKIPPED`, then one line for
each skipped test with its own last words.  A test that could not be run at all
(its program is missing) is a failure, not a skip.
"""

import sys
import xml.etree.ElementTree as xml


def asked_to_be_skipped(case):
    mark = case.find("skipped")
    return mark is not None and "SKIP_RETURN_CODE" in mark.get("message", "")


def last_words(case):
    lines = (case.findtext("system-out") or "").strip().split("\n")
    return lines[-1] or "gives no reason"


def main():
    cases = xml.parse(sys.argv[1]).getroot().findall("testcase")
    skipped = [case for case in cases if asked_to_be_skipped(case)]
    passed = sum(case.get("status") == "run" for case in cases)
    print(passed, len(cases) - passed - len(skipped), len(skipped))
    for case in skipped:
        print(f"skipped {case.get('name')}: {last_words(case)}")


if __name__ == "__main__":
    main()
