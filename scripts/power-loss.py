#!/usr/bin/env python3
"""Power loss, as far as it can be tried without losing power: a small run under strace, of whose calls a disk is made
that keeps nothing but what was synced. At each of many moments the folder is what such a disk would hold: contents of
a file as of its last fsync, and names as of the last fsync of their folder. From each of these the run is resumed: it
has to end, with the tables of an undisturbed run, and no record may be missing that was reported as written.
A second disk keeps names at once, as ext4 does when a file is synced.

Usage: scripts/power-loss.py [PROGRAM] [MOMENTS]     (default: target/release/splitpoint 100; some minutes; needs strace)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

EXPERIMENT = """baseline = 4
schedules = 1
repetitions = 4
positions.ids = ["BK03", "BK09"]
axes = { machine = "virtual", strategy = ["ybwc", "lazy"], threads = [2, 3], depth = 6, hash = 1, features = "thesis" }
report.charts = ["speedup"]
"""
CALLS = "openat,write,lseek,fdatasync,fsync,rename,renameat,renameat2,ftruncate,unlink,unlinkat,mkdir,close"
TABLES = ["runs.csv", "summary.csv", "positions.csv"]


def run(program, *arguments):
    return subprocess.run([program, "run", *arguments], capture_output=True, text=True)


def text_of(argument):
    """The bytes of a string that strace shows in hexadecimal digits."""
    return bytes.fromhex(argument.replace("\\x", ""))


class Disk:
    """What a disk holds after each call: contents and names as programs see them, and as they are synced."""

    def __init__(self, keeps_names):
        self.keeps_names = keeps_names
        self.seen = {}  # path -> number of a file, as programs see it
        self.kept = {}  # likewise, as it is on the disk
        self.contents = {}  # number of a file -> bytes as programs see them
        self.synced = {}  # likewise, as they are on the disk
        self.open = {}  # (process, descriptor) -> [path, number, place]
        self.next = 0

    def create(self, path):
        number = self.next = self.next + 1
        self.seen[path] = number
        self.contents[number] = bytearray()
        self.synced[number] = b""
        return number

    def sync(self, path, number):
        if number is None:  # A folder: the names in it.
            within = lambda name: os.path.dirname(name) == path
            self.kept = {name: of for name, of in self.kept.items() if not within(name)}
            self.kept |= {name: of for name, of in self.seen.items() if within(name)}
            return
        self.synced[number] = bytes(self.contents[number])
        if self.keeps_names:
            self.kept = dict(self.seen)

    def call(self, process, name, arguments, result):
        key = lambda arguments: (process, int(re.match(r"\d+", arguments)[0]))
        if name == "openat":
            path = text_of(re.search(r'"([^"]*)"', arguments)[1]).decode()
            number = self.seen.get(path)
            if "O_CREAT" in arguments and number is None:
                number = self.create(path)
            if "O_TRUNC" in arguments and number is not None:
                self.contents[number] = bytearray()
            self.open[key(result)] = [path, number, 0]
        elif name in ("rename", "renameat", "renameat2"):
            before, after = [text_of(part).decode() for part in re.findall(r'"([^"]*)"', arguments)]
            if before in self.seen:
                self.seen[after] = self.seen.pop(before)
        elif name in ("unlink", "unlinkat"):
            self.seen.pop(text_of(re.search(r'"([^"]*)"', arguments)[1]).decode(), None)
        elif name == "close":
            self.open.pop(key(arguments), None)
        elif arguments[:1].isdigit() and key(arguments) in self.open:
            file = self.open[key(arguments)]
            path, number, place = file
            if name == "write" and number is not None:
                data = text_of(re.search(r'"([^"]*)"', arguments)[1])
                whole = self.contents[number]
                whole.extend(b"\0" * (place - len(whole)))
                whole[place : place + len(data)] = data
                file[2] = place + len(data)
            elif name == "lseek":
                file[2] = int(result)
            elif name == "ftruncate" and number is not None:
                del self.contents[number][int(arguments.split(",")[1]) :]
            elif name in ("fsync", "fdatasync"):
                self.sync(path, number)

    def write_out(self, folder, to):
        for path, number in self.kept.items():
            if path.startswith(folder + "/"):
                place = os.path.join(to, os.path.relpath(path, folder))
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as file:
                    file.write(self.synced[number])


def calls_of(log):
    """Calls that succeeded, with the process: threads share descriptors, so one name stands for all of them."""
    unfinished = {}
    for line in open(log):
        thread, line = line.split(None, 1)
        if "<unfinished" in line:
            unfinished[thread] = line.split(" <unfinished")[0]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>\s*(.*)", line, re.S)
        if resumed:
            line = unfinished.pop(thread, "") + resumed[1]
        found = re.match(r"(\w+)\((.*)\)\s+= (-?\d+\S*)", line, re.S)
        if found and not found[3].startswith("-"):
            yield found[1], found[2], found[3]


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/splitpoint")
    moments = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    work = tempfile.mkdtemp(prefix="power-loss-")
    file, folder = os.path.join(work, "e.toml"), os.path.join(work, "out")
    with open(file, "w") as out:
        out.write(EXPERIMENT)
    whole = os.path.join(work, "whole")
    assert run(program, file, "--out", whole).returncode == 0
    expected = [open(os.path.join(whole, name), "rb").read() for name in TABLES]
    log = os.path.join(work, "calls")
    trace = ["strace", "-f", "-xx", "-s", "100000000", "-e", "trace=" + CALLS, "-o", log]
    ended = subprocess.run([*trace, program, "run", file, "--out", folder], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    calls = list(calls_of(log))
    wrong = tried = most = 0
    for keeps_names in (False, True):
        disk = Disk(keeps_names)
        every = max(1, len(calls) // moments)
        for count, (name, arguments, result) in enumerate(calls):
            disk.call("p", name, arguments, result)
            if count % every and count + 1 < len(calls):
                continue
            after = os.path.join(work, "after")
            shutil.rmtree(after, ignore_errors=True)
            os.makedirs(after)
            disk.write_out(folder, after)
            journal = os.path.join(folder, "journal.jsonl")
            number = disk.kept.get(journal)
            lines = disk.synced[number].count(b"\n") if number else 0
            # What the program was told is on the disk.
            seen = disk.seen.get(journal)
            told = disk.synced[seen].count(b"\n") if seen else 0
            # A line is synced before the next one is written.
            ahead = disk.contents[seen].count(b"\n") - told if seen else 0
            most = max(most, lines)
            resumed = run(program, file, "--out", after, "--resume")
            tables = [open(os.path.join(after, name), "rb").read() for name in TABLES] if not resumed.returncode else []
            tried += 1
            if tables != expected or lines < told or ahead > 1:
                wrong += 1
                print(f"after {count} calls ({name}), names kept: {keeps_names}: {lines} of {told} records,",
                      f"status {resumed.returncode}: {resumed.stderr.strip()[-300:]}")
    shutil.rmtree(work)
    print(f"{tried} moments of {len(calls)} calls on two disks, with up to {most} records: {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
