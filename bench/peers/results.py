"""SPDX-License-Identifier: MIT

What has been played: a file of one JSON object a line, written as games end, so that a run that was cut is taken up again.
"""

import json
import os

KEY = ["stream", "order", "player", "setting", "version"]


class Results:
    """The records of a file, and whatever is added."""

    def __init__(self, path):
        self.path, self.records = path, {}
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        self.drop_torn_line()
        with open(path, "a+", encoding="utf-8") as file:
            file.seek(0)
            for line in file:
                self.keep(json.loads(line))

    def drop_torn_line(self):
        if os.path.isfile(self.path):
            with open(self.path, "rb+") as file:
                whole = file.read()
                file.truncate(whole.rfind(b"\n") + 1)

    def keep(self, record):
        self.records[tuple(record[name] for name in KEY)] = record

    def has(self, *key):
        return key in self.records

    def add(self, record):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        self.keep(record)

    def of(self, stream, player, version):
        """Setting to order to record."""
        found = {}
        for record in self.records.values():
            if (record["stream"], record["player"], record["version"]) == (stream, player, version):
                found.setdefault(record["setting"], {})[record["order"]] = record
        return found

    def last_version(self, player):
        """The version whose record was written last, or None."""
        versions = [record["version"] for record in self.records.values() if record["player"] == player]
        return versions[-1] if versions else None
