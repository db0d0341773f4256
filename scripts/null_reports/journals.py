"""Run folders whose journals are drawn anew. The binary has run the experiment once; times, nodes and all that hangs on
them are replaced, and what else a record has stays, so that the report takes it for one of its own."""

import hashlib
import json
import math
import shutil
import zlib

from .binary import Fault, digest, output_of
from .noise import Noise, arm_of, draw, is_baseline
from .scenario import DEPTH

PLY = 1.1  # logarithm of the growth of time with a ply
SCORE = 100
COUNTS = ("losses", "counters", "sharing")


def is_bin(value):
    """Whether a value is one bin of a histogram: a pair of the bin and its count."""
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, int) for one in value)


def scaled(value, by):
    """Counts of a record times a factor. Order among counts stays, since rounding down is monotone. Histograms keep
    their bins and counts."""
    if isinstance(value, dict):
        return {key: one if key.startswith("deepest") else scaled(one, by) for key, one in value.items()}
    if isinstance(value, list):
        return [one if is_bin(one) else scaled(one, by) for one in value]
    return math.floor(value * by) if isinstance(value, int) and not isinstance(value, bool) else value


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
    growth = 0.0 if is_baseline(cell) else scenario.growth
    on_the_way = answers(noise, drawn.time_s * slowdown, drawn.nodes // threads, done["bestmove"], growth)
    done["answers"] = on_the_way[:depth]
    done["score_raw"] = done["answers"][-1]["score_raw"]
    if old["workers"]:
        done["workers"], done["activities"] = workers(old, drawn, nodes, time_ns, is_disturbed, slowdown)
    around = record["surroundings"]
    if around is not None:
        around = surroundings(around, is_disturbed, slowdown)
    return {**record, "attempt": 0, "result": {"cut" if is_cut else "done": done}, "surroundings": around}


def answers(noise, time_s, nodes, move, growth):
    """Answers on the way: time and nodes shrink by about the same factor with each ply less, and the time of several
    processors by less where their speedup grows."""
    scenario, rng = noise.scenario, noise.rng
    score = SCORE if scenario.same_scores else SCORE + 10 * rng.randrange(50)
    found, plies = [], 0.0
    for depth in range(DEPTH, 0, -1):
        share = math.exp(-plies)
        taken = math.exp(-plies + growth * plies / math.log(2))
        found.append({"depth": depth, "time_ns": round(time_s * 1e9 * taken), "bestmove": move, "score_raw": score,
                      "nodes": round(nodes * share), "leaves": round(0.6 * nodes * share)})
        plies += PLY * math.exp(scenario.plies * rng.gauss(0, 1))
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


def surroundings(around, is_disturbed, slowdown):
    """What else the computer did during a real search."""
    taken = max(1 - 1 / slowdown, 0.05) if is_disturbed else 0.0
    words = [f"{100 * taken:.1f} % of the processor time that the search wanted was taken away"]
    unknown = dict.fromkeys(("steal_share", "mhz_at_start", "mhz_at_end"))
    return {**around, **unknown, "disturbed": words[:is_disturbed], "taken_share": taken, "others_cpus": 0.0,
            "state": "disturbed" if is_disturbed else "quiet"}


def without_checksum(line):
    """The record of a line. What is drawn anew has another checksum."""
    record = json.loads(line)
    record.pop("crc", None)
    return record


def signed(record):
    """The line of a record, with its checksum as the last key."""
    text = json.dumps(record, separators=(",", ":"))[:-1]
    return f'{text},"crc":"{zlib.crc32(text.encode()):08x}"}}\n'


class Template:
    """The folder of an experiment that the binary has run once."""

    def __init__(self, folder):
        self.files = {name: (folder / name).read_bytes() for name in ("experiment.json", "environment.json")}
        # In the order of the plan, so that what is drawn does not depend on the order in which they were made.
        lines = (folder / "journal.jsonl").read_text().splitlines()
        self.records = sorted(map(without_checksum, lines), key=lambda record: record["index"])
        failed = [record["result"] for record in self.records if "done" not in record["result"]]
        if failed:
            raise Fault(f"{folder}: {len(failed)} of {len(self.records)} searches failed, the first with {failed[0]}")
        self.donors = {}
        for record in self.records:
            self.donors.setdefault(record["cell"]["configuration"]["threads"], record)
        judged = folder / "judgements.jsonl"
        self.judgements = [without_checksum(line) for line in open(judged)] if judged.exists() else []
        self.positions = sorted({record["cell"]["position"] for record in self.records})
        # Of each position two moves: that of its first record, and one that is worse.
        self.moves = {}
        for record in self.records:
            done = record["result"]["done"]
            others = [answer["bestmove"] for answer in done["answers"] if answer["bestmove"] != done["bestmove"]]
            self.moves.setdefault(record["cell"]["position"], (done["bestmove"], (others or ["a2a3"])[0]))

    def noise(self, scenario, rng):
        """The truth of a report."""
        return Noise(scenario, rng, self.positions)

    def write(self, folder, noise):
        """Writes a folder with a journal drawn anew."""
        scenario = noise.scenario
        folder.mkdir(parents=True, exist_ok=True)
        for name, contents in self.files.items():
            (folder / name).write_bytes(contents)
        with open(folder / "journal.jsonl", "w") as journal:
            for record in self.records:
                donor = self.donors[record["cell"]["configuration"]["threads"]]
                journal.write(signed(redrawn(noise, record, donor, self.moves)))
        if scenario.blunder:
            with open(folder / "judgements.jsonl", "w") as judgements:
                for one in self.judgements:
                    if one["chosen"] is None:
                        good, bad = self.moves[one["subject"]["position"]]
                        for move, regret_cp in ((good, 0), (bad, scenario.blunder[0])):
                            judged = {**one, "chosen": move, "score_raw": -10 * regret_cp}
                            judgements.write(signed(judged))


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
