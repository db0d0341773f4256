"""Options, and the reports that are missing in the folder of results."""

import argparse
import concurrent.futures
import csv
import hashlib
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

from . import judging, tables
from .binary import Fault, digest, output_of, rows
from .journals import template
from .rates import rates
from .scenarios import scenarios

HERE = Path(__file__).parent
COLUMNS = ("key", "scenario", "report", "claimed", "false", "words", "growth_words", "found", "intervals", "misses",
           "of_verdict", "verdict_misses", "unread", "growths", "growth_misses", "outcome", "what", "draw_s",
           "report_s")

# Name of the run, and the claim that is judged, in a folder of claims.
RUN = "speed"
CLAIM = """title = "Claims"
question = "Do they hold?"

[[run]]
name = "speed"
experiment = "quick"

[[claim]]
name = "claim"
title = "A claim"
source = "Nobody"
said = "yes"
here = "the same"

"""

# Templates that this process has read, by their scenario.
READ = {}


def write(scenario, index, options, folder):
    """Draws the folders of a report: those that are reported, or compared."""
    if scenario.name not in READ:
        READ.clear()
        READ[scenario.name] = template(scenario, options.binary, options.out)
    drawn = READ[scenario.name]
    noise = drawn.noise(scenario, random.Random(f"{options.seed} {scenario.name} {index}"))
    match scenario.asks:
        case "compare":
            for name in ("first", "second"):
                drawn.write(folder / name, noise)
        case "claims":
            drawn.write(folder / RUN, noise)
            (folder / "claims.toml").write_text(CLAIM + scenario.tests)
        case _:
            drawn.write(folder, noise)
    return len(drawn.records)


def judged(scenario, folder, records, options):
    """Has the binary report what was drawn, and judges it."""
    if scenario.asks == "compare":
        table = folder / "compared.csv"
        said = output_of([options.binary, "compare", folder / "first", folder / "second", "--csv", table])
        found = judging.compared(table)
    else:
        said = output_of([options.binary, "report", folder])
        if scenario.asks == "claims":
            found = judging.claim_judged(scenario, folder)
        else:
            judging.check(scenario, folder, said, records)
            found = judging.judged(scenario, folder, options.words, options.denials, said)
    judging.check_words(scenario, said)
    return {**dict.fromkeys(COLUMNS[3:-3], 0), "outcome": "", "what": "", **found}


def one_report(job):
    """Draws and reports one experiment: a row of the results, or the words of a fault."""
    scenario, index, options = job
    folder = Path(tempfile.mkdtemp(prefix="null-report-", dir=options.work))
    try:
        began = time.monotonic()
        records = write(scenario, index, options, folder)
        drawn = time.monotonic()
        row = judged(scenario, folder, records, options)
        seconds = {"draw_s": f"{drawn - began:.3f}", "report_s": f"{time.monotonic() - drawn:.3f}"}
        return {"key": options.key, "scenario": scenario.name, "report": index, **row, **seconds}
    except Fault as fault:
        return str(fault)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def options_of(arguments, about):
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder of the results, which a later run continues")
    parser.add_argument("--binary", type=Path, default=HERE.parent.parent / "target/release/splitpoint",
                        help="the program (default: target/release/splitpoint)")
    parser.add_argument("--reports", type=int, default=120,
                        help="number of reports of each scenario (default 120; of power at most 60)")
    parser.add_argument("--scenario", action="append", metavar="NAME",
                        help="only this scenario, or those whose names begin with it and a dash; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--work", type=Path, help="folder for what is drawn (default: memory if there is /dev/shm)")
    parser.add_argument("--words", default=judging.WORDS,
                        help="pattern of words that put one configuration before another")
    parser.add_argument("--denials", default=judging.DENIALS, help="pattern of words that take them back")
    parser.add_argument("--draw", type=int, metavar="N", help="draw report N into OUT/SCENARIO-N and stop")
    parser.add_argument("--markdown", action="store_true", help="print the tables as docs/statistics.md has them")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    options = parser.parse_args(arguments)
    names = [scenario.name for scenario in scenarios()]
    for wanted in options.scenario or []:
        if not any(is_wanted(name, wanted) for name in names):
            parser.error(f"there is no scenario {wanted!r}; there are {', '.join(names)}")
    if options.list:
        return options
    if options.out is None:
        parser.error("--out is needed: the folder of the results")
    if options.reports < 0 or options.jobs < 1:
        parser.error("--reports must be at least 0, and --jobs at least 1")
    if not options.binary.is_file():
        parser.error(f"there is no program {options.binary}: run cargo build --release, or name another with --binary")
    for name in ("words", "denials"):
        try:
            re.compile(getattr(options, name))
        except re.error as error:
            parser.error(f"--{name} is not a pattern: {error}")
    options.binary, options.out = options.binary.resolve(), options.out.resolve()
    memory = Path("/dev/shm")
    options.work = options.work or (memory if memory.is_dir() else options.out)
    options.out.mkdir(parents=True, exist_ok=True)
    options.work.mkdir(parents=True, exist_ok=True)
    # Reports of the same key may stand in one table.
    parts = [digest(options.binary), *map(digest, sorted(HERE.glob("*.py"))), options.words, options.denials,
             str(options.seed)]
    options.key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    return options


def is_wanted(name, wanted):
    return name == wanted or name.startswith(f"{wanted}-")


def results_of(file, key):
    """Results that count, one a report."""
    by_report = {(row["scenario"], row["report"]): row for row in rows(file) if row["key"] == key and row["report_s"]}
    return list(by_report.values())


def run(options, wanted, file):
    """Draws the reports that are missing; returns whether there was a fault."""
    done = {(row["scenario"], int(row["report"])) for row in results_of(file, options.key)}
    jobs = []
    for scenario in wanted:
        count = min(options.reports, scenario.reports or options.reports)
        missing = [index for index in range(count) if (scenario.name, index) not in done]
        if missing:
            # Here, so that no two processes run it at the same time.
            template(scenario, options.binary, options.out)
        jobs += [(scenario, index, options) for index in missing]
    if not jobs:
        return False
    # A line that a kill cut short goes.
    whole = file.read_bytes().rpartition(b"\n")[:2] if file.exists() else ()
    file.write_bytes(b"".join(whole))
    pool = concurrent.futures.ProcessPoolExecutor(options.jobs) if options.jobs > 1 else None
    with open(file, "a", newline="") as results:
        writer = csv.DictWriter(results, COLUMNS)
        if not any(whole):
            writer.writeheader()
        for number_done, row in enumerate(pool.map(one_report, jobs) if pool else map(one_report, jobs), 1):
            if isinstance(row, str):
                print(f"\n{row}", file=sys.stderr)
                if pool:
                    pool.shutdown(cancel_futures=True)
                return True
            writer.writerow(row)
            results.flush()
            if sys.stderr.isatty():
                print(f"\r{number_done}/{len(jobs)} {row['scenario']:<20}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return False


def draw(options, wanted):
    """Keeps the folder of one report of each scenario."""
    for scenario in wanted:
        folder = options.out / f"{scenario.name}-{options.draw}"
        shutil.rmtree(folder, ignore_errors=True)
        write(scenario, options.draw, options, folder)
        print(folder)


def main(arguments, about):
    """Does what is asked on the command line; returns the exit status."""
    options = options_of(arguments, about)
    wanted = [scenario for scenario in scenarios()
              if not options.scenario or any(is_wanted(scenario.name, name) for name in options.scenario)]
    if options.list:
        for scenario in wanted:
            print(f"{scenario.name:<22} {scenario.about}")
        return 0
    file = options.out / "reports.csv"
    try:
        if options.draw is not None:
            draw(options, wanted)
            return 0
        is_fault = run(options, wanted, file)
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 2
    names = {scenario.name for scenario in wanted}
    results = [row for row in results_of(file, options.key) if row["scenario"] in names]
    if not results:
        print("no results")
        return 2 if is_fault else 0
    shown, whole = rates(wanted, results)
    (tables.markdown if options.markdown else tables.show)(shown, whole)
    unread = [row for row in results if int(row["unread"])]
    if unread:
        print(f"{len(unread)} verdicts have an interval that fits no figure of theirs, such as "
              f"{unread[0]['what'].split(' | ')[0]!r}: scenario {unread[0]['scenario']}, report {unread[0]['report']}",
              file=sys.stderr)
    is_high = any(one.remarks for one in [*shown, whole])
    return 2 if is_fault or unread else int(is_high)
