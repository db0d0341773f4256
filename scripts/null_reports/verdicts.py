"""Intervals in the sentences of the first screen, held against the truth. A figure is known by its estimate, as it
stands in the tables of the report, so that neither the words nor the level of an interval matter."""

import math
import re

from .binary import number, rows

NUMBER = r"\d+(?:\.\d+)?"
# `1.72 times (1.60 to 1.84)`, `1.72 (1.60 to 1.84)`, `takes 5.2 % more time (1.1 to 9.4)`, with a few words between;
# of several `1.62 to 1.72 (1.50 to 1.84)`.
INTERVAL = re.compile(
    rf"(?<![\d.])(?P<estimate>-?{NUMBER})(?: to (?P<last>{NUMBER}))?\b[^\d();]{{0,60}} ?"
    rf"\((?P<low>-?{NUMBER})(?: %)? to (?P<high>-?{NUMBER})[^()]*\)"
)
# `a (1.62), b (1.70) and c (1.72) are not shown to differ: 1.50 to 1.84 times as fast`: one range for all that are
# named.
SPAN = re.compile(
    rf"(?P<names>(?:[^.;:]|\.(?=\d))*?) (?:are not shown to differ|took the same time in every search)"
    rf"[^\d.]{{0,60}}(?P<low>{NUMBER}) to (?P<high>{NUMBER}) times"
)
IN_BRACKETS = re.compile(rf"\((?P<estimate>{NUMBER})\)")
# `1.62 to 1.72`, of estimates: no interval.
RANGE = re.compile(rf"(?<![(\d.])(?P<first>{NUMBER}) to (?P<last>{NUMBER})(?! (?:processors|threads|s\b))")


def as_ratio(value):
    return value


def as_percent_more(value):
    return 100.0 * (value - 1.0)


def as_percent_less(value):
    return 100.0 * (1.0 - value)


def figures(scenario, folder):
    """Figures of the report as (label, estimate, truth)."""
    found = []
    for row in rows(folder / "summary.csv"):
        arm, threads, label = row["engine"] or row["strategy"], int(row["threads"]), row["label"]
        if row["strategy"] == "sequential":
            continue
        found += [
            (label, number(row.get("time_speedup")), scenario.speedup(arm, threads)),
            (label, number(row.get("nps_ratio")), scenario.rate(threads)),
            (label, number(row.get("nodes_ratio")), scenario.nodes(arm, threads)),
            (label, number(row.get("growth_per_doubling")), math.exp(scenario.growth)),
        ]
    for row in rows(folder / "comparisons.csv"):
        label, threads = row["change"], int(row["threads"])
        times = scenario.speedup(row["reference_value"], threads) / scenario.speedup(row["value"], threads)
        found += [(label, number(row["time_ratio"]), times), (label, number(row["nodes_ratio"]), times)]
    return found


def others(folder):
    """Figures of the report with intervals, of which the truth is not known."""
    return [number(row[name]) for row in rows(folder / "summary.csv") for name in row if f"{name}_low" in row]


def is_printed_as(value, text):
    """Whether a value is what was rounded to the text."""
    decimals = len(text.partition(".")[2])
    return abs(value - float(text)) <= 0.501 * 10.0 ** -decimals


def is_any_printed_as(values, texts):
    """Whether each text is one of the values, or one in percent."""
    return all(any(is_printed_as(scale * value, text) for value in values for scale in (1.0, 100.0)) for text in texts)


def named(known, estimate, before):
    """The figure with this estimate, of several that whose label stands last before it; and the scale on which it is
    printed."""
    fitting = [(before.rfind(label), -place, label, truth, scale)
               for scale in (as_ratio, as_percent_more, as_percent_less)
               for place, (label, value, truth) in enumerate(known) if is_printed_as(scale(value), estimate)]
    fitting = [one for one in fitting if one[0] >= 0] or fitting
    return max(fitting, key=lambda one: one[:2], default=None)


class Verdict:
    """Intervals of the first screen: how many there are of a known truth, how many leave it out, and which fit no
    figure of the report."""

    def __init__(self, known, unknown, text):
        self.intervals, self.misses, self.unread, self.missing = 0, 0, [], []
        for match in INTERVAL.finditer(text):
            estimates = [one for one in (match["estimate"], match["last"]) if one]
            ones = [named(known, one, text[:match.start()]) for one in estimates]
            if None not in ones:
                self.count(match, ones)
            elif not is_any_printed_as(unknown, estimates):
                self.unread.append(match[0])
        for match in SPAN.finditer(text):
            ends = [(one["estimate"], match["names"][:one.start()]) for one in IN_BRACKETS.finditer(match["names"])]
            ones = [named(known, estimate, before) for estimate, before in ends]
            if ones and None not in ones:
                self.count(match, ones)
            else:
                self.unread.append(match[0])
        rest = SPAN.sub("", INTERVAL.sub("", text))
        for match in RANGE.finditer(rest):
            has_decimals = "." in match["first"] and "." in match["last"]
            ends = [match["first"], match["last"]]
            if has_decimals and None in [named(known, end, rest) for end in ends] \
                    and not is_any_printed_as(unknown, ends):
                self.unread.append(match[0])

    def count(self, match, figures):
        """Counts an interval, which speaks of all of its figures, and whether it misses one."""
        self.intervals += 1
        low, high = float(match["low"]), float(match["high"])
        if any(not low <= scale(truth) <= high for *_, truth, scale in figures):
            self.misses += 1
            self.missing.append(match[0])
