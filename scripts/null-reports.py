#!/usr/bin/env python3
"""Counts the false claims of reports: draws experiments of which the truth is known, and has the binary report them.

Each scenario is a small experiment that the binary runs once. For every report, times, nodes and all that hangs on them
are drawn anew in its journal, from a truth in which most things are equal. A report is false if it claims a difference
that the truth does not have, or says in words that one of two equals is faster. Claims are read from claims.csv.

Results are appended to OUT/reports.csv, and a rerun draws only what is missing there. Results of another binary, seed
or version of this script, or with other words, do not count. The exit status is 1 if a rate of false reports is shown
to be above 5 % (binomial test, corrected for the number of scenarios), or a rate of interval misses above what is
documented. It is 2 if a report failed or set records aside, which is a fault of this script or of the binary.

Examples:
  scripts/null-reports.py --out /tmp/null                        # all scenarios, 200 reports each: a quarter of an hour
  scripts/null-reports.py --out /tmp/null --reports 20           # a pilot; a later run with more reports continues it
  scripts/null-reports.py --out /tmp/null --scenario tails --scenario arms --jobs 2
  scripts/null-reports.py --out /tmp/null --reports 0            # only the table of what is there
  scripts/null-reports.py --list
  scripts/null-reports.py --out /tmp/null --scenario even --draw 7   # keep the folder of report 7, to look at it
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

LEVEL = 0.05
# Share of intervals that may miss the truth: what docs/statistics.md admits, with a little room.
MOST_MISSES = 0.07
# With three positions it admits more.
MOST_MISSES_OF_THREE = 0.11

# Standard errors beyond that at which intervals count as too narrow.
MOST_ERRORS = 3.0

# Words of the terminal that put one configuration before another, and words that take it back.
WORDS = r"(?i)\bfastest\b|\b(?:is|are) slower\b(?! than one)"
DENIALS = r"(?i)\bnot shown|\bno (?:configuration|order|difference)|\bnone (?:of|is)\b|\bnot claimed|can ?not be|could not be"
# Words of a report that refused a record.
REFUSED = r"set aside|contradicts itself|is incomplete|could not be read"
WORST_OF_CLAIMS = 4

NODES_PER_S = 1e6  # of searching
DEPTH = 4
PLY = 1.1  # logarithm of the growth of time with a ply
# Means of the shares of time that processors work, and that they search while they work.
UTILISATION, PRODUCTIVE = 0.85, 0.97
# Parts of the noise: nodes, rate, utilisation, productive share. Their squares add up to 1.
PARTS = (0.95, 0.15, 0.25, 0.1118)

STRATEGIES = ["ybwc", "abdada", "lazy"]
MORE_STRATEGIES = [*STRATEGIES, "root", "pv-split"]
# Positions of balanced-200. In the first ten a side may still castle: an engine from outside has two views of each.
POSITIONS = ["B001", "B002", "B004", "B005", "B008", "B010", "B014", "B015",
            "B022", "B023", "B024", "B025"]


@dataclass
class Scenario:
    """An experiment, the noise of its records, and what is true of it."""

    name: str
    about: str
    machine: str = "virtual"
    positions: int = 8
    runs: int = 4
    strategies: list = field(default_factory=lambda: STRATEGIES)
    threads: list = field(default_factory=lambda: [4])
    features: list = field(default_factory=lambda: ["thesis"])
    # Further lines of the experiment file: of the top, of [axes] and of [report].
    top: str = ""
    axes: str = ""
    report: str = 'asks = "best"'
    baseline: str = "8"
    # Standard deviations of ln time: between runs, between runs of the baseline, and of single arms as multiples.
    noise: float = 0.2
    baseline_noise: float = 0.135
    arms: dict = field(default_factory=dict)
    # Between seed classes, and the number of classes that seeds fall into; 0 is one for each seed.
    between: float = 0.0
    classes: int = 0
    # Ratio of the noisiest position to the calmest.
    uneven: float = 1.0
    tails: bool = False
    # Standard deviation of strategy-by-position effects, drawn anew for each report.
    effects: float = 0.0
    # Logarithm by which the time of an arm is longer in truth.
    slower: dict = field(default_factory=dict)
    # Disturbance: share of the records, and how it changes times: not, at random, or of which arms.
    disturbed: float = 0.0
    slowed: object = None
    # Blunder in centipawns, and the share of runs that make it.
    blunder: tuple = None
    # Limit as a multiple of the true time, which is then the same at all positions.
    limit: float = 0.0
    # Whether no claim at all may be made, true or not.
    silent: bool = False
    most_misses: float = MOST_MISSES
    # A scenario of power counts the reports that find what is there, and has no rate to be tested.
    reports: int = 0

    def toml(self, binary):
        """Text of the experiment file."""
        quoted = json.dumps
        lines = [f"title = {quoted(self.name)}", f"baseline = {self.baseline}"]
        # A single chart, since drawing all of them takes most of the time of a report.
        lines += [f"repetitions = {self.runs}", self.top, "[report]", 'charts = ["time-speedup"]', self.report]
        lines += ["[positions]", 'suite = "balanced-200"']
        lines += [f"ids = {quoted(POSITIONS[:self.positions])}"]
        outside = [name for name in self.strategies if name.startswith("engine")]
        for name in outside:
            lines += [f"[engines.{name}]", f"command = {quoted([str(binary), 'uci'])}"]
        lines += ["[axes]", f"machine = {quoted(self.machine)}", f"strategy = {quoted(self.strategies)}"]
        lines += [f"threads = {self.threads}", f"depth = {DEPTH}", "hash = 1", self.axes]
        lines += [] if outside else [f"features = {quoted(self.features)}"]
        return "\n".join(lines) + "\n"


def scenarios():
    """All scenarios, in the order of the table."""
    reference = 'asks = "effect"\nreference = { strategy = "ybwc" }'
    real = {"machine": "real", "threads": [2]}
    all_scenarios = [
        Scenario("even", "3 strategies equal in truth, even noise"),
        Scenario("uneven-3", "noise uneven between positions, 1:3", uneven=3.0),
        Scenario("uneven-10", "noise uneven between positions, 1:10", uneven=10.0),
        Scenario("tails", "heavy tails (Student's t with 3 degrees of freedom)", tails=True),
        Scenario("arms", "noise of the strategies 1:4:10", noise=0.04, arms={"abdada": 4.0, "lazy": 10.0}),
        Scenario("three", "3 positions, even noise", positions=3, most_misses=MOST_MISSES_OF_THREE),
        Scenario("three-uneven", "3 positions, noise 1:10", positions=3, uneven=10.0, most_misses=MOST_MISSES_OF_THREE),
        Scenario("three-tails", "3 positions, heavy tails", positions=3, tails=True, most_misses=MOST_MISSES_OF_THREE),
        Scenario("like-these", "'positions like these', strategy-by-position effects", effects=0.2,
                 report='asks = "best"\ninterval = "positions like these"'),
        Scenario("features", "two features with baselines of their own, equal speedups, times 1:9",
                 strategies=["ybwc"], features=["thesis", "modern"]),
        Scenario("threads", "5 strategies on 2 and 4 processors", strategies=MORE_STRATEGIES, threads=[2, 4]),
        Scenario("threads-tails", "5 strategies on 2 and 4 processors, heavy tails", strategies=MORE_STRATEGIES,
                 threads=[2, 4], tails=True),
        Scenario("reference", "comparisons with a reference", report=reference),
        Scenario("disturbed-random", "all records disturbed, at random", **real, disturbed=1.0, slowed="random",
                 silent=True),
        Scenario("disturbed-one", "all records disturbed, one strategy spared", **real, disturbed=1.0,
                 slowed=("abdada", "lazy"), silent=True),
        Scenario("disturbed-some", "30 % of the records disturbed, times unchanged", **real, disturbed=0.3),
        Scenario("seeds", "seeds [0, 1] repeated 5 times, 0.14 between and 0.08 within", **real, runs=5,
                 axes="seed = [0, 1]", noise=0.08, baseline_noise=0.08, between=0.14),
        Scenario("seeds-wide", "seeds [0, 1] repeated 5 times, 0.15 between and 0.05 within", **real, runs=5,
                 axes="seed = [0, 1]", noise=0.05, baseline_noise=0.05, between=0.15),
    ]
    for runs in (4, 8, 16):
        all_scenarios.append(Scenario(
            f"views-{runs}", f"two engines from outside, 2 views, {runs} runs", **real,
            strategies=["engine-a", "engine-b"], runs=runs, noise=0.08, baseline_noise=0.08, between=0.14, classes=2,
        ))
    for blunder, share in ((50, 0.1), (100, 0.05), (200, 0.025)):
        all_scenarios.append(Scenario(
            f"moves-{blunder}", f"moves worse by just the margin: {blunder} cp in {100 * share:g} % of runs",
            strategies=["ybwc"], top="judge = 1", blunder=(blunder, share),
        ))
    all_scenarios.append(Scenario(
        "limit", "limit at 1.28 times the true time, noise of one arm threefold", positions=12, baseline='"none"',
        strategies=["ybwc", "lazy"], report=reference, noise=0.1, arms={"lazy": 3.0}, limit=1.28,
    ))
    for percent in (10, 20, 30):
        all_scenarios.append(Scenario(
            f"power-{percent}", f"one strategy slower by {percent} %", slower={"lazy": math.log(1 + percent / 100)},
            reports=60,
        ))
    return all_scenarios





class Noise:
    """Random numbers of unit variance, and the truth of one report."""

    def __init__(self, scenario, rng, positions):
        self.scenario, self.rng = scenario, rng
        spread = max(len(positions) - 1, 1)
        # In logarithms from 1 / sqrt(ratio) to sqrt(ratio), so that the geometric mean of the noise stays.
        weights = [scenario.uneven ** (at / spread - 0.5) for at in range(len(positions))]
        rng.shuffle(weights)
        self.weight = dict(zip(positions, weights))
        self.level = {position: 0.0 if scenario.limit else 0.5 * rng.gauss(0, 1) for position in positions}
        self.constants = {}

    def unit(self):
        """A random number."""
        if not self.scenario.tails:
            return self.rng.gauss(0, 1)
        # Student's t with 3 degrees of freedom, whose variance is 3.
        return self.rng.gauss(0, 1) / math.sqrt(self.rng.gammavariate(1.5, 2.0) / 3.0) / math.sqrt(3.0)

    def constant(self, key, deviation):
        """A random number that is the same whenever the key is."""
        if deviation == 0.0:
            return 0.0
        return deviation * self.constants.setdefault(key, self.rng.gauss(0, 1))

    def share(self, mean, deviation):
        """Logarithm of a share below 1: odd about that of the mean, so that all arms have the same mean."""
        most = -0.999 * math.log(mean)
        return math.log(mean) + most * math.tanh(deviation * self.unit() / most)


@dataclass
class Drawn:
    """A search: its time, without disturbance, and what explains it."""

    time_s: float
    nodes: int
    utilisation: float
    productive: float


def arm_of(cell):
    """What distinguishes the configuration in truth: its strategy, or its engine if it is one from outside."""
    configuration = cell["configuration"]
    return configuration.get("engine") or configuration["strategy"]


def is_baseline(cell):
    return cell["configuration"]["strategy"] == "sequential"


def draw(noise, cell):
    """Draws the search of a cell."""
    scenario, position = noise.scenario, cell["position"]
    arm, threads = arm_of(cell), cell["configuration"]["threads"]
    deviation = scenario.baseline_noise if is_baseline(cell) else scenario.noise * scenario.arms.get(arm, 1.0)
    deviation *= noise.weight[position]
    features = cell["configuration"]["features"]
    place = (arm, is_baseline(cell), features, threads, position)
    kind = cell["seed"] % scenario.classes if scenario.classes else cell["seed"]
    log_nodes = noise.level[position] + noise.constant((*place, kind), scenario.between)
    if not is_baseline(cell):
        log_nodes += noise.constant(place, scenario.effects) + scenario.slower.get(arm, 0.0)
    if features == "modern":
        log_nodes -= 2.2
    nodes_part, rate_part, utilisation_part, productive_part = (deviation * part for part in PARTS)
    log_nodes += nodes_part * noise.unit()
    log_rate = rate_part * noise.unit()
    log_utilisation = noise.share(UTILISATION, utilisation_part)
    log_productive = noise.share(PRODUCTIVE, productive_part)
    # One processor takes a second at level 0; with a limit, all of them do.
    whole = 1.0 if not scenario.limit else threads
    work = NODES_PER_S * whole * UTILISATION * PRODUCTIVE * math.exp(log_nodes)
    time_s = work / NODES_PER_S / math.exp(log_rate + log_utilisation + log_productive) / threads
    return Drawn(time_s, round(work), math.exp(log_utilisation), math.exp(log_productive))


def scaled(value, by):
    """Counts of a record times a factor. Order among counts stays, since rounding down is monotone."""
    if isinstance(value, dict):
        return {key: one if key.startswith("deepest") else scaled(one, by) for key, one in value.items()}
    if isinstance(value, list):
        return [scaled(one, by) for one in value]
    return math.floor(value * by) if isinstance(value, int) and not isinstance(value, bool) else value


COUNTS = ("qnodes", "thesis_nodes", "probes", "found", "deep", "ended", "cutoffs", "cutoffs_first", "losses", "splits",
          "counters")


def parts_of(total, count):
    """Whole numbers that add up to the total."""
    return [total // count + (at < total % count) for at in range(count)]


def redrawn(noise, record, donor, moves):
    """The record with a measurement drawn anew. The donor, a record on as many processors, gives the counts, so that
    arms are equal in all else too."""
    scenario, cell, rng = noise.scenario, record["cell"], noise.rng
    drawn = draw(noise, cell)
    is_disturbed = rng.random() < scenario.disturbed
    slowdown = 1.0
    if is_disturbed and scenario.slowed == "random":
        slowdown = math.exp(abs(rng.gauss(0, 0.5)))
    elif is_disturbed and isinstance(scenario.slowed, tuple) and arm_of(cell) in scenario.slowed:
        slowdown = math.exp(0.5 + rng.gauss(0, 0.1))
    old = donor["result"]["done"]
    done = dict(old)
    threads = cell["configuration"]["threads"]
    time_s, nodes, depth = drawn.time_s * slowdown, drawn.nodes, DEPTH
    is_cut = scenario.limit and time_s > scenario.limit
    if is_cut:
        nodes, time_s, depth = round(nodes * scenario.limit / time_s), scenario.limit, DEPTH - 1
    time_ns = round(time_s * 1e9)
    factor = nodes / old["nodes"]
    done.update({name: scaled(old[name], factor) for name in COUNTS})
    done.update(time_ns=time_ns, elapsed_ns=time_ns, nodes=nodes, depth=depth)
    done.update({name: old[name] and (None if is_cut else time_ns) for name in ("master_ns", "voted_ns")})
    own = record["result"]["done"]
    done.update({name: own.get(name) for name in ("program",) if name in own})
    move = moves[cell["position"]]
    is_blunder = scenario.blunder and not is_baseline(cell) and rng.random() < scenario.blunder[1]
    done["bestmove"] = move[1] if is_blunder else move[0]
    done["answers"] = answers(noise, drawn.time_s * slowdown, drawn.nodes // threads, done["bestmove"])[:depth]
    done["score_raw"] = done["answers"][-1]["score_raw"]
    if old["workers"]:
        done["workers"], done["activities"] = workers(old, drawn, nodes, time_ns, is_disturbed, slowdown)
    around = record["surroundings"]
    if around is not None:
        taken = max(1 - 1 / slowdown, 0.05) if is_disturbed else 0.0
        words = [f"{100 * taken:.1f} % of the processor time that the search wanted was taken away"]
        state = "disturbed" if is_disturbed else "quiet"
        unknown = dict.fromkeys(("steal_share", "mhz_at_start", "mhz_at_end"))
        around = {**around, **unknown, "disturbed": words[:is_disturbed], "state": state, "taken_share": taken,
                  "others_cpus": 0.0}
    return {**record, "attempt": 0, "result": {"cut" if is_cut else "done": done}, "surroundings": around}


def answers(noise, time_s, nodes, move):
    """Answers on the way: time and nodes shrink by about the same factor with each ply less."""
    found, share = [], 1.0
    for depth in range(DEPTH, 0, -1):
        found.append({"depth": depth, "time_ns": round(time_s * 1e9 * share), "bestmove": move, "score_raw": 100,
                      "nodes": round(nodes * share), "leaves": round(0.6 * nodes * share)})
        share *= math.exp(-PLY * math.exp(0.1 * noise.rng.gauss(0, 1)))
    return found[::-1]


def workers(old, drawn, nodes, time_ns, is_disturbed, slowdown):
    """Parts of the workers, which add up to the whole, and the sum of their activities."""
    count = len(old["workers"])
    busy = round(time_ns * drawn.utilisation)
    searching = round(busy * drawn.productive)
    activities = {"search_ns": searching, "split_ns": busy - searching, "lock_ns": 0, "idle_ns": time_ns - busy,
                  "wait_ns": 0, "other_ns": 0}
    parts = []
    for worker, part in zip(old["workers"], parts_of(nodes, count)):
        watch = worker["watch"]
        if watch is not None:
            had = round(time_ns / max(slowdown, 1.06)) if is_disturbed else time_ns
            watch = {**watch, "wall_ns": time_ns, "cpu_ns": had, "queued_ns": time_ns - had, "voluntary_switches": 0,
                     "involuntary_switches": int(is_disturbed), "has_moved": False, "cycles": None}
        parts.append({**worker, "nodes": part, "activities": activities, "watch": watch})
    return parts, {name: count * value for name, value in activities.items()}


class Template:
    """The folder of an experiment that the binary has run once."""

    def __init__(self, folder):
        self.files = {name: (folder / name).read_bytes() for name in ("experiment.json", "environment.json")}
        # In the order of the plan, so that what is drawn does not depend on the order in which they were made.
        lines = (folder / "journal.jsonl").read_text().splitlines()
        self.records = sorted(map(json.loads, lines), key=lambda record: record["index"])
        failed = [record["result"] for record in self.records if "done" not in record["result"]]
        if failed:
            raise Fault(f"{folder}: {len(failed)} of {len(self.records)} searches failed, the first with {failed[0]}")
        self.donors = {}
        for record in self.records:
            self.donors.setdefault(record["cell"]["configuration"]["threads"], record)
        judged = folder / "judgements.jsonl"
        self.judgements = [json.loads(line) for line in open(judged)] if judged.exists() else []
        self.positions = sorted({record["cell"]["position"] for record in self.records})
        # Of each position two moves: that of its first record, and one that is worse.
        self.moves = {}
        for record in self.records:
            done = record["result"]["done"]
            others = [answer["bestmove"] for answer in done["answers"] if answer["bestmove"] != done["bestmove"]]
            self.moves.setdefault(record["cell"]["position"], (done["bestmove"], (others or ["a2a3"])[0]))

    def write(self, folder, scenario, rng):
        """Writes a folder with a journal drawn anew."""
        noise = Noise(scenario, rng, self.positions)
        for name, contents in self.files.items():
            (folder / name).write_bytes(contents)
        with open(folder / "journal.jsonl", "w") as journal:
            for record in self.records:
                donor = self.donors[record["cell"]["configuration"]["threads"]]
                journal.write(json.dumps(redrawn(noise, record, donor, self.moves), separators=(",", ":")) + "\n")
        if scenario.blunder:
            with open(folder / "judgements.jsonl", "w") as judgements:
                for one in self.judgements:
                    if one["chosen"] is None:
                        good, bad = self.moves[one["subject"]["position"]]
                        for move, regret_cp in ((good, 0), (bad, scenario.blunder[0])):
                            judged = {**one, "chosen": move, "score_raw": -10 * regret_cp}
                            judgements.write(json.dumps(judged) + "\n")


class Fault(Exception):
    """A report that does not say anything about claims: the script or the binary is at fault."""


def output_of(command):
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if run.returncode != 0:
        raise Fault(f"{' '.join(map(str, command))} ended with {run.returncode}:\n{run.stderr}{run.stdout}")
    return run.stdout + "\n" + run.stderr


def template(scenario, binary, out):
    """Runs the experiment of a scenario, unless this binary has run it already."""
    text = scenario.toml(binary)
    folder = out / "templates" / hashlib.sha256(f"{digest(binary)}{text}".encode()).hexdigest()[:12]
    if not (folder / "report.html").exists():
        shutil.rmtree(folder, ignore_errors=True)
        file = folder.with_suffix(".toml")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        output_of([binary, "run", file, "--out", folder])
    return Template(folder)


def rows(path):
    """Rows of a CSV file; none if there is no such file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan


def sentences(text):
    """Sentences and parts of sentences between semicolons, each on one line."""
    return [part.strip() for part in re.split(r"(?<=[.;])\s", " ".join(text.split())) if part.strip()]


@dataclass
class Claim:
    """Something that a report claims."""

    kind: str
    of: str
    ratio: float = math.nan


def claims_of(folder):
    """What a report claims. Nothing was tested if it has no claims.csv."""
    claimed = [row for row in rows(folder / "claims.csv") if row["claimed"] == "1"]
    of = "{problem} {subject} / {than} x{threads}: {figure} {ratio} ({ratio_low}-{ratio_high}), p {p_adjusted}"
    return [Claim(row["kind"], of.format(**row), number(row["ratio"])) for row in claimed]


def is_false(scenario, claim):
    """Whether the truth of a scenario has no such difference."""
    if scenario.silent:
        return True
    # All run on several processors, and take less time than one.
    if claim.kind == "faster":
        return claim.ratio > 1.0
    # Moves are worse, by just the margin; that they are no worse is false, and read from summary.csv.
    if scenario.blunder and claim.kind == "moves":
        return False
    return not any(arm in claim.of for arm in scenario.slower)


def judged(scenario, folder, words, denials, said):
    """What a report claims, and how much of it is false."""
    claims = claims_of(folder)
    false = [f"{claim.kind}: {claim.of}" for claim in claims if is_false(scenario, claim)]
    found = any(arm in claim.of for arm in scenario.slower for claim in claims if claim.kind == "order")
    said_so = [part for part in sentences(said) if re.search(words, part) and not re.search(denials, part)]
    intervals = []
    for row in rows(folder / "summary.csv"):
        if scenario.blunder and row["moves_verdict"] == "not worse":
            false.append(f"moves: {row['label']} not worse, bound {row['regret_bound_cp']}")
        if row["strategy"] != "sequential":
            truth = int(row["threads"]) / math.exp(scenario.slower.get(row["strategy"], 0.0))
            intervals.append((truth, row.get("time_speedup_low"), row.get("time_speedup_high")))
    if scenario.limit:
        intervals = [(1.0, row["time_ratio_low"], row["time_ratio_high"]) for row in rows(folder / "comparisons.csv")]
    # Disturbance moves speedups, whatever their intervals say.
    intervals = [] if scenario.slowed else [one for one in intervals if one[1] or one[2]]
    missed = [not (number(low) <= truth <= number(high)) for truth, low, high in intervals if low and high]
    missed += [bool(high) and truth > number(high) or bool(low) and truth < number(low)
               for truth, low, high in intervals if not (low and high)]
    return {
        "claimed": len(claims),
        "false": int(bool(false)),
        "headline": int(bool(said_so) and not scenario.slower),
        "found": int(found),
        "intervals": len(missed),
        "misses": sum(missed),
        "what": " | ".join([*false[:WORST_OF_CLAIMS], *([] if scenario.slower else said_so[:1])]),
    }


def check(scenario, folder, said, records):
    """Makes sure that the report took every record."""
    if refused := re.search(f"[^\n]*(?:{REFUSED})[^\n]*", said):
        raise Fault(f"{scenario.name}: {refused.group(0).strip()}")
    taken = rows(folder / "runs.csv")
    counted = sum(row["counts"] in ("1", "true") for row in taken)
    cut = sum(row["status"] == "cut" for row in taken)
    if len(taken) != records or counted + cut != records:
        raise Fault(f"{scenario.name}: of {records} records {counted} count in the report, and {cut} are cut")


# Templates that this process has read, by their scenario.
READ = {}


def one_report(job):
    """Draws and reports one experiment: a row of the results, or the words of a fault."""
    scenario, index, options = job
    if scenario.name not in READ:
        READ.clear()
        READ[scenario.name] = template(scenario, options.binary, options.out)
    folder = Path(tempfile.mkdtemp(prefix="null-report-", dir=options.work))
    try:
        rng = random.Random(f"{options.seed} {scenario.name} {index}")
        began = time.monotonic()
        READ[scenario.name].write(folder, scenario, rng)
        drawn = time.monotonic()
        said = output_of([options.binary, "report", folder])
        reported = time.monotonic()
        check(scenario, folder, said, len(READ[scenario.name].records))
        row = judged(scenario, folder, options.words, options.denials, said)
        seconds = {"draw_s": f"{drawn - began:.3f}", "report_s": f"{reported - drawn:.3f}"}
        return {"key": options.key, "scenario": scenario.name, "report": index, **row, **seconds}
    except Fault as fault:
        return str(fault)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


COLUMNS = ("key", "scenario", "report", "claimed", "false", "headline", "found", "intervals", "misses",
           "what", "draw_s", "report_s")


def at_least(successes, trials, chance):
    """Probability of at least as many successes."""
    def of(count):
        ways = math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
        return math.exp(ways + count * math.log(chance) + (trials - count) * math.log1p(-chance))
    return min(1.0, math.fsum(of(count) for count in range(successes, trials + 1))) if successes else 1.0


def upper_bound(successes, trials):
    """One-sided upper 95 % bound of a rate (Clopper and Pearson)."""
    if successes == trials:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        # Probability of no more successes than were seen.
        is_likely = 1.0 - at_least(successes + 1, trials, middle) > LEVEL if 0 < middle < 1 else middle == 0
        low, high = (middle, high) if is_likely else (low, middle)
    return high


def excess_of_misses(results, most):
    """Standard errors by which the rate of misses exceeds what is allowed. Intervals of a report share their baseline,
    so that reports are what is counted, not intervals."""
    rates = [int(row["misses"]) / int(row["intervals"]) for row in results if int(row["intervals"])]
    if len(rates) < 2:
        return 0.0
    mean = sum(rates) / len(rates)
    deviation = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1))
    return (mean - most) / max(deviation / math.sqrt(len(rates)), 1e-9)


def table(all_scenarios, results):
    """Prints the table of rates; returns whether any is too high."""
    if not results:
        print("no results")
        return False
    by_scenario = defaultdict(list)
    for row in results:
        by_scenario[row["scenario"]].append(row)
    shown = [scenario for scenario in all_scenarios if by_scenario[scenario.name]]
    # Both kinds of rates of every scenario are tested.
    chance = LEVEL / (2 * len(shown))
    is_high = False
    line = "{:<17} {:>7} {:>5} {:>7} {:>11} {:>15} {:>9} {:>6}  {}"
    heads = ("scenario", "reports", "false", "rate", "upper bound", "interval misses", "headline", "found", "")
    print(line.format(*heads))
    for scenario in shown:
        rows_of = by_scenario[scenario.name]
        total = {name: sum(int(row[name]) for row in rows_of)
                 for name in ("false", "headline", "found", "intervals", "misses")}
        count, remarks = len(rows_of), []
        for name in ("false", "headline"):
            if at_least(total[name], count, LEVEL) < chance:
                remarks.append(f"{name}: above {LEVEL:.0%}")
        if excess_of_misses(rows_of, scenario.most_misses) > MOST_ERRORS:
            remarks.append(f"misses: above {scenario.most_misses:.0%}")
        is_high |= bool(remarks)
        misses = f"{total['misses'] / total['intervals']:.1%} of {total['intervals']}" if total["intervals"] else "-"
        print(line.format(
            scenario.name, count, total["false"], f"{total['false'] / count:.1%}",
            f"{upper_bound(total['false'], count):.1%}", misses, total["headline"],
            total["found"] if scenario.slower else "-", "  ".join(remarks),
        ))
    seconds = [sum(float(row[name]) for row in results) / len(results) for name in ("draw_s", "report_s")]
    print(f"a report took {seconds[0]:.2f} s to draw and {seconds[1]:.2f} s to make")
    return is_high


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="folder of the results, which a later run continues")
    parser.add_argument("--binary", type=Path, default=Path(__file__).parent.parent / "target/release/splitpoint",
                        help="the program (default: target/release/splitpoint)")
    parser.add_argument("--reports", type=int, default=200,
                        help="number of reports of each scenario (default 200; of power at most 60)")
    parser.add_argument("--scenario", action="append", metavar="NAME", help="only this scenario; may be repeated")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn (default 1)")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default 1)")
    parser.add_argument("--work", type=Path, help="folder for what is drawn (default: memory if there is /dev/shm)")
    parser.add_argument("--words", default=WORDS, help="pattern of words that put one configuration before another")
    parser.add_argument("--denials", default=DENIALS, help="pattern of words that take them back")
    parser.add_argument("--draw", type=int, metavar="N", help="draw report N into OUT/SCENARIO-N and stop")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    options = parser.parse_args(arguments)
    names = [scenario.name for scenario in scenarios()]
    if unknown := [name for name in options.scenario or [] if name not in names]:
        parser.error(f"there is no scenario {unknown[0]!r}; there are {', '.join(names)}")
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
    parts = [digest(options.binary), digest(__file__), options.words, options.denials, str(options.seed)]
    options.key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    return options


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


def main(arguments):
    options = options_of(arguments)
    all_scenarios = scenarios()
    wanted = [scenario for scenario in all_scenarios if not options.scenario or scenario.name in options.scenario]
    if options.list:
        for scenario in wanted:
            print(f"{scenario.name:<17} {scenario.about}")
        return 0
    if options.draw is not None:
        for scenario in wanted:
            folder = options.out / f"{scenario.name}-{options.draw}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            rng = random.Random(f"{options.seed} {scenario.name} {options.draw}")
            template(scenario, options.binary, options.out).write(folder, scenario, rng)
            print(folder)
        return 0
    file = options.out / "reports.csv"
    try:
        is_fault = run(options, wanted, file)
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 2
    names = {scenario.name for scenario in wanted}
    results = [row for row in results_of(file, options.key) if row["scenario"] in names]
    is_high = table(wanted, results)
    return 2 if is_fault else int(is_high)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
