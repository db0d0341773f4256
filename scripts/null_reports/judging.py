"""What a report says, and how much of it is false."""

import math
import re
from dataclasses import dataclass

from .binary import Fault, number, rows
from .scenarios import (CANNOT, CLONES, CONTRADICTED, HEALTHY, IDLE, NOT_SHOWN, POORLY, REPRODUCED, SLOWER, UNDECIDED,
                        WIDER)
from .verdicts import Verdict, figures, others

# Words that put one configuration before another, and words that take it back.
WORDS = r"(?i)\bfastest\b|\b(?:is|are) slower\b(?! than one)"
DENIALS = (r"(?i)\bnot shown|\bno (?:configuration|order|difference)|\bnone (?:of|is|shown)\b|\bnot claimed|can ?not be"
           r"|could not be")
# Words on how a speedup changes with the size of the search.
GAINS = r"(?i)\bgains?\b.*\b(?:whenever|with size|doubl)|\bspeedups? (?:still )?grows?\b"
LOSES = r"(?i)\bloses?\b.*\b(?:whenever|with size|doubl)|\bspeedups? (?:falls?|shrinks?)\b"
# Words of a report that refused a record.
REFUSED = r"set aside|contradicts itself|is incomplete|could not be read"
WORST_OF_CLAIMS = 4

# States by words of health.csv; the first that fits.
STATES = (
    (r"^healthy", HEALTHY), (r"whether well or poorly", UNDECIDED), (r"poorly", POORLY), (r"not search", IDLE),
    (r"clones", CLONES), (r"wider", WIDER), (r"slower", SLOWER), (r"not decided|undecided|cannot", UNDECIDED),
)
# Verdicts by words of claims.csv.
VERDICTS = ((r"cannot decide|cannot be decided|undecided", CANNOT), (r"^reproduced", REPRODUCED),
            (r"^contradicted", CONTRADICTED), (r"^not shown", NOT_SHOWN))
# Verdicts of `compare` that state a difference.
DIFFERENT = ("faster", "slower", "fewer", "more")


@dataclass
class Claim:
    """Something that a report claims."""

    kind: str
    of: str
    ratio: float


def claims_of(folder):
    """What the report claims. Nothing was tested if it has no claims.csv."""
    claimed = [row for row in rows(folder / "claims.csv") if row["claimed"] == "1"]
    of = "{problem} {subject} / {than} x{threads}: {figure} {ratio} ({ratio_low}-{ratio_high}), p {p_adjusted}"
    return [Claim(row["kind"], of.format(**row), number(row["ratio"])) for row in claimed]


def is_false(scenario, claim):
    """Whether the truth of a scenario has no such difference."""
    if scenario.silent:
        return True
    # All run on several processors, and take less time than one, or the same.
    if claim.kind == "faster":
        return claim.ratio > 1.0 or all(speedup == 1.0 for speedup in scenario.speedups.values() or (2.0,))
    # Growth against one processor is one of speedups, and of a pair there is none.
    if claim.kind == "growth":
        is_of_size = "one processor" in claim.of or "smaller searches" in claim.of
        return not (is_of_size and (claim.ratio - 1.0) * scenario.growth > 0.0)
    # Moves are worse, by just the margin; that they are no worse is false, and read from summary.csv.
    if scenario.blunder and claim.kind == "moves":
        return False
    # The factors of a speedup that is less than the number of processors.
    if claim.kind == "factor" and (scenario.speedups or scenario.slower):
        return False
    return not any(arm in claim.of for arm in scenario.slower)


def sentences(text):
    """Sentences and parts of sentences between semicolons, each on one line."""
    return [part.strip() for part in re.split(r"(?<=[.;])\s", " ".join(text.split())) if part.strip()]


def paragraphs(folder):
    """Sentences of summary.md: those of the first screen, and the answers to further questions."""
    text = (folder / "summary.md").read_text()
    first, *questions = text.split("\n## ")
    screen = [part for part in first.split("\n\n") if not part.startswith("#")]
    answers = [part.split("\n\n")[1] for part in questions if "\n\n" in part]
    return " ".join(screen), answers


def outcome(words, known, what):
    """The outcome that words stand for."""
    for pattern, name in known:
        if re.search(pattern, words):
            return name
    raise Fault(f"{what} {words!r} is not known to scripts/null_reports/judging.py")


def states_of(folder):
    """State in health.csv: `good to 4|good to 8` for a set of two."""
    found = rows(folder / "health.csv")
    if not found:
        raise Fault(f"{folder}: no state in health.csv")
    words = found[0]["health"]
    if numbers := re.search(r"good to (\d+(?:(?:,| or|, or) \d+)*)", words):
        return "|".join(f"good to {number}" for number in re.findall(r"\d+", numbers[1]))
    return outcome(words, STATES, "the state")


def intervals_of(scenario, folder):
    """Intervals of the table of speedups, or of times relative to a reference, as (truth, low, high)."""
    found = []
    for row in rows(folder / "summary.csv"):
        if row["strategy"] != "sequential":
            truth = scenario.speedup(row["engine"] or row["strategy"], int(row["threads"]))
            found.append((truth, row.get("time_speedup_low"), row.get("time_speedup_high")))
    if scenario.limit:
        found = [(1.0, row["time_ratio_low"], row["time_ratio_high"]) for row in rows(folder / "comparisons.csv")]
    return counted(found)


def growths_of(scenario, folder):
    """Intervals of the growth of speedups with size."""
    truth = math.exp(scenario.growth)
    ends = ("growth_per_doubling_low", "growth_per_doubling_high")
    of = [(truth, *(row.get(end) for end in ends)) for row in rows(folder / "summary.csv")]
    return counted(of)


def counted(intervals):
    """Number of intervals, and of those that leave out the truth. A bound has one end."""
    intervals = [(truth, low, high) for truth, low, high in intervals if low or high]
    missed = [bool(high) and truth > number(high) or bool(low) and truth < number(low)
              for truth, low, high in intervals]
    return len(missed), sum(missed)


def judged(scenario, folder, words, denials, said):
    """What a report claims, and how much of it is false."""
    claims = claims_of(folder)
    false = [f"{claim.kind}: {claim.of}" for claim in claims if is_false(scenario, claim)]
    for row in rows(folder / "summary.csv"):
        if scenario.blunder and row["moves_verdict"] == "not worse":
            false.append(f"moves: {row['label']} not worse, bound {row['regret_bound_cp']}")
    found = any(arm in claim.of for arm in scenario.slower for claim in claims if claim.kind == "order")
    screen, answers = paragraphs(folder)
    parts = [part for text in (said, *answers) for part in sentences(text) if not re.search(denials, part)]
    orders = [part for part in parts if re.search(words, part)] if not scenario.slower else []
    of_growth = [part for part in parts if re.search(GAINS, part) and scenario.growth <= 0.0
                 or re.search(LOSES, part) and scenario.growth >= 0.0]
    verdict = Verdict(figures(scenario, folder), others(folder), screen)
    # Disturbance moves speedups, whatever their intervals say.
    is_moved = bool(scenario.slowed)
    intervals, misses = (0, 0) if is_moved else intervals_of(scenario, folder)
    growths, growth_misses = (0, 0) if is_moved else growths_of(scenario, folder)
    return {
        "claimed": len(claims), "false": int(bool(false)), "words": int(bool(orders)), "found": int(found),
        "growth_words": int(bool(of_growth)), "growths": growths, "growth_misses": growth_misses,
        "intervals": intervals, "misses": misses,
        "of_verdict": 0 if is_moved else verdict.intervals, "verdict_misses": 0 if is_moved else verdict.misses,
        "unread": len(verdict.unread),
        "outcome": states_of(folder) if scenario.asks == "health" else "",
        "what": " | ".join([*verdict.unread, *false[:WORST_OF_CLAIMS], *orders[:1], *of_growth[:1],
                            *([] if is_moved else verdict.missing)]),
    }


def compared(file):
    """What a comparison of two folders of the same truth claims, all of which is false."""
    found = rows(file)
    said = [(row, figure) for row in found for figure in ("time", "nodes")]
    false = [f"{row['label']} {row[f'{figure}_verdict']}: {figure} {row[f'{figure}_ratio']}" for row, figure in said
             if row[f"{figure}_verdict"] in DIFFERENT]
    intervals, misses = counted([(1.0, row[f"{figure}_low"], row[f"{figure}_high"]) for row, figure in said])
    return {"claimed": len(false), "false": int(bool(false)), "intervals": intervals, "misses": misses,
            "what": " | ".join(false[:WORST_OF_CLAIMS])}


def claim_judged(scenario, folder):
    """The verdict on a published claim, and whether its intervals hold."""
    found = rows(folder / "claims.csv")
    if not found:
        raise Fault(f"{folder}: no verdict in claims.csv")
    truths = [truth_of_test(scenario, row) for row in found]
    ends = [(truth, row["found_low"], row["found_high"]) for truth, row in zip(truths, found)]
    intervals, misses = counted(ends)
    return {"intervals": intervals, "misses": misses,
            "outcome": outcome(found[0]["claim_verdict"], VERDICTS, "the verdict")}


def truth_of_test(scenario, row):
    """What the figure of a test is in truth: the ratio of two equals, or the speedup that its words end with."""
    return 1.0 if " by that of " in row["test"] else scenario.speedup("ybwc", int(row["test"].split()[-1]))


def check_words(scenario, said):
    """Makes sure that no record was refused."""
    if refused := re.search(f"[^\n]*(?:{REFUSED})[^\n]*", said):
        raise Fault(f"{scenario.name}: {refused.group(0).strip()}")


def check(scenario, folder, said, records):
    """Makes sure that the report took every record."""
    check_words(scenario, said)
    taken = rows(folder / "runs.csv")
    counted = sum(row["counts"] in ("1", "true") for row in taken)
    cut = sum(row["status"] == "cut" for row in taken)
    if len(taken) != records or counted + cut != records:
        raise Fault(f"{scenario.name}: of {records} records {counted} count in the report, and {cut} are cut")
