#!/usr/bin/env bash
# Runs every experiment again whose tables are kept in results/reference/, in the order of their cost, and keeps the
# tables of the new runs. Resumable: what has been run is not run again. Virtual searches run on one core at low priority;
# real ones want a quiet computer.
#
#     scripts/reference.sh --check                       which folders are of this version, and what the others are of
#     scripts/reference.sh --list                        what would be run, with its time
#     scripts/reference.sh [--virtual|--real] [NAME...]  run them (default: all), into results/reference-runs/
#     scripts/reference.sh --keep [NAME...]              copy the tables of those runs that are complete
#
# Needs Python 3.8 or later, and a program that was built from what is committed.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 - "$@" <<'PYTHON'
import collections
import csv
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import zlib

KEPT = pathlib.Path("results/reference")
RUNS = pathlib.Path("results/reference-runs")
PROGRAM = "target/release/splitpoint"
# One experiment file of a kept folder: `experiment.toml`, or `virtual-experiment.toml`, whose tables begin likewise.
Part = collections.namedtuple("Part", "folder prefix file seconds is_real")


def version():
    text = pathlib.Path("Cargo.toml").read_text()
    return re.search(r'^version = "(.*)"$', text.split("[workspace.package]")[1], re.M).group(1)


def signature():
    return sum(int(line.split()[1]) for line in pathlib.Path("src/engine/search/signature.txt").read_text().splitlines())


def sessions(folder, prefix):
    file = folder / f"{prefix}environment.json"
    return json.loads(file.read_text())["sessions"] if file.exists() else None


def seconds(text):
    units = {"s": 1, "min": 60, "h": 3600}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) (s|min|h)\b", text or ""))


def of_summary(folder, prefix, column):
    file = folder / f"{prefix}summary.csv"
    if not file.exists():
        return set()
    with file.open() as rows:
        return {row.get(column, "") for row in csv.DictReader(rows)}


def listed(what):
    command = [PROGRAM, "list", what, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)[what]


def of_other_prices(session, prices):
    """The cost models of a session whose prices are not those of today."""
    for model, recorded in sorted((session.get("costs") or {}).items()):
        # What a version did not know yet it did not charge for.
        if any(row.get(model) not in (None, "", recorded.get(row["cost"], row.get(model))) for row in prices):
            yield model


def parts():
    times = {one["experiment"]: seconds(one.get("time")) for one in listed("experiments")}
    for folder in sorted(path for path in KEPT.iterdir() if path.is_dir()):
        for file in sorted(folder.glob("*experiment.toml")):
            prefix = file.name[: -len("experiment.toml")]
            shipped = pathlib.Path("experiments") / f"{folder.name}.toml"
            source = shipped if not prefix and shipped.exists() else file
            is_real = "real" in of_summary(folder, prefix, "machine")
            yield Part(folder, prefix, source, times.get(folder.name, 0), is_real)


# Versions whose recorded searches are those of this one: with the same signature, the same simulated searches.
ALIKE = {"0.2.0"}


def state(part, prices):
    """What the kept tables are of, in words; empty if they are of this version, or simulated by one that is alike."""
    known = sessions(part.folder, part.prefix)
    if known is None:
        return "nobody has noted of which version"
    differing = []
    for session in known:
        build = session.get("build") or {}
        commit = (build.get("commit") or "unknown")[:10]
        versions = {version()} if part.is_real else {version()} | ALIKE
        if session.get("version") not in versions:
            differing.append(f"version {session.get('version')}")
        elif session.get("signature") != signature():
            differing.append(f"another search, commit {commit}")
        differing += [f"other prices of {model}" for model in of_other_prices(session, prices)]
    return ", ".join(sorted(set(differing)))


def check():
    all_parts = list(parts())
    prices = listed("costs")
    old = [(part, state(part, prices)) for part in all_parts]
    old = [(part, text) for part, text in old if text]
    for part, text in old:
        print(f"{part.folder.name}/{part.prefix}: {text}")
    print(f"{len(all_parts) - len(old)} of {len(all_parts)} kept runs are of version {version()}, signature {signature()}")
    return 1 if old else 0


def out(part):
    return RUNS / (part.folder.name + (f".{part.prefix.rstrip('-')}" if part.prefix else ""))


def run(part):
    command = [PROGRAM, "run", str(part.file), "--out", str(out(part)), "--resume"]
    if not part.is_real:
        command = ["nice", "-n", "19", "taskset", "-c", "0", *command]
    print(f"== {part.folder.name}/{part.prefix}", flush=True)
    return subprocess.run(command).returncode


def sealed(text, change):
    """The text of an environment, changed, with the checksum that it then has."""
    seal = re.search(r',\s*"crc":\s*"([0-9a-f]{8})"', text)
    body = change(text[: seal.start()])
    return body + text[seal.start() :].replace(seal.group(1), f"{zlib.crc32(body.encode()):08x}", 1)


def without_host(text):
    names = {session["host"]["name"] for session in json.loads(text)["sessions"]}
    hashed = {name: hashlib.sha256(name.encode()).hexdigest()[:12] for name in names}

    def change(body):
        for name, by in hashed.items():
            body = body.replace(json.dumps(name), json.dumps(by)).replace(f"-{name}-", f"-{by}-")
        return body

    return sealed(text, change)


def keep(part):
    done, wanted = out(part), 0
    if not (done / "summary.csv").exists():
        return
    if not sessions(done, ""):
        sys.exit(f"{done} has no environment")
    names = {file.name[len(part.prefix) :] for file in part.folder.iterdir() if file.name.startswith(part.prefix)}
    others = {"experiment.toml", "environment.json", "summary.csv"}
    for name in sorted(names | others):
        if not (done / name).exists():
            continue
        text = (done / name).read_text()
        (part.folder / f"{part.prefix}{name}").write_text(without_host(text) if name == "environment.json" else text)
        wanted += 1
    print(f"{part.folder.name}/{part.prefix}: {wanted} files")


def refuse(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def main(arguments):
    flags = {argument for argument in arguments if argument.startswith("--")}
    names = [argument for argument in arguments if not argument.startswith("--")]
    unknown = flags - {"--check", "--list", "--virtual", "--real", "--keep"}
    if unknown:
        refuse(f"unknown option {unknown.pop()}: see the head of scripts/reference.sh")
    if not os.access(PROGRAM, os.X_OK):
        refuse(f"{PROGRAM} is not there: cargo build --release")
    if "--check" in flags:
        return check()
    all_parts = sorted(parts(), key=lambda part: part.seconds)
    missing = set(names) - {part.folder.name for part in all_parts}
    if missing:
        refuse(f"no kept run is named {missing.pop()}")
    chosen = [part for part in all_parts if not names or part.folder.name in names]
    chosen = [part for part in chosen if ("--real" if not part.is_real else "--virtual") not in flags]
    if "--list" in flags:
        for part in chosen:
            kind = "real" if part.is_real else "virtual"
            print(f"{part.folder.name + '/' + part.prefix:32} {kind:8} {part.seconds / 60:6.0f} min  {part.file}")
        print(f"{len(chosen)} runs, {sum(part.seconds for part in chosen) / 3600:.1f} hours of two cores")
        return 0
    if "--keep" in flags:
        return [keep(part) for part in chosen] and 0
    failed = [part.folder.name for part in chosen if run(part) != 0]
    print(f"failed: {', '.join(failed)}" if failed else "all have run; --keep copies their tables")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
PYTHON
