"""Rates of what is false, and whether they are shown to be too high."""

import math
from collections import Counter
from dataclasses import dataclass, field

from .scenario import Scenario

LEVEL = 0.05
# Share of intervals in the verdict that may miss: 5 %, and half a per cent for its rounding.
MOST_OF_VERDICT = 0.055
# Standard errors beyond that at which intervals count as too narrow.
MOST_ERRORS = 3.0
# Rates of a scenario that are tested: false reports, intervals of the verdict, and wrong and missing outcomes.
TESTS = 4


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


def excess_of_misses(shares, intervals, most):
    """Standard errors by which the rate of misses exceeds what is allowed. Intervals of a report share their baseline,
    so that reports are what is counted, not intervals; but few reports may be alike by chance, so that the error is not
    less than that of independent intervals."""
    if len(shares) < 2:
        return 0.0
    mean = sum(shares) / len(shares)
    variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1) / len(shares)
    return (mean - most) / math.sqrt(max(variance, most * (1.0 - most) / intervals))


def share_of(row, misses, of):
    """Share of the intervals of a report that miss; nothing if it has none."""
    return [int(row[misses]) / int(row[of])] if int(row[of] or 0) else []


def is_any_false(row):
    """Whether a report says anything false: in claims.csv, or in words."""
    return any(int(row[name] or 0) for name in ("false", "words", "growth_words"))


@dataclass
class Rates:
    """What the reports of a scenario, or of all of them, come to."""

    scenario: Scenario
    rows: list
    remarks: list = field(default_factory=list)

    @property
    def count(self):
        return len(self.rows)

    @property
    def false(self):
        """Reports that say anything false."""
        return sum(map(is_any_false, self.rows))

    def total(self, name):
        return sum(int(row[name] or 0) for row in self.rows)

    def shares(self, misses, of):
        return [share for row in self.rows for share in share_of(row, misses, of)]

    @property
    def outcomes(self):
        """Outcomes with their numbers, the most frequent first."""
        return Counter(row["outcome"] for row in self.rows if row["outcome"]).most_common()

    def is_shown_above(self, successes, trials, rate, chance):
        return trials > 0 and at_least(math.floor(successes + 1e-9), trials, rate) < chance

    def judge(self, chance):
        """Notes what is too high."""
        scenario = self.scenario
        if self.is_shown_above(self.false, self.count, LEVEL, chance):
            self.remarks.append(f"false: above {LEVEL:.0%}")
        shares = self.shares("verdict_misses", "of_verdict")
        if self.is_shown_above(sum(shares), len(shares), MOST_OF_VERDICT, chance):
            self.remarks.append(f"verdict: misses above {MOST_OF_VERDICT:.1%}")
        for name, misses, of in (("intervals", "misses", "intervals"), ("growth", "growth_misses", "growths")):
            if excess_of_misses(self.shares(misses, of), self.total(of), scenario.most_misses) > MOST_ERRORS:
                self.remarks.append(f"{name}: misses above {scenario.most_misses:.0%}")
        if scenario.outcomes:
            self.judge_outcomes(chance)

    def judge_outcomes(self, chance):
        """Notes outcomes that are too often wrong, too seldom right, or impossible."""
        wanted = self.scenario.outcomes
        kinds = Counter(kind_of(wanted, row["outcome"]) for row in self.rows)
        if self.is_shown_above(kinds["wrong"] + kinds["never"], self.count, LEVEL, chance):
            self.remarks.append(f"wrong: above {LEVEL:.0%}")
        if kinds["never"]:
            self.remarks.append(f"{kinds['never']} reports say what none may")
        if wanted.least and self.is_shown_above(self.count - kinds["right"], self.count, 1 - wanted.least, chance):
            self.remarks.append(f"right: below {wanted.least:.0%}")


def kind_of(wanted, outcome):
    """Whether an outcome is right, wrong, one that no report may have, or neither. One of a set that is right makes the
    set right."""
    parts = outcome.split("|")
    fits = lambda part, names: part in names or "good to" in names and part.startswith("good to")
    if any(part in wanted.right for part in parts):
        return "right"
    if any(part in wanted.never for part in parts):
        return "never"
    return "wrong" if any(fits(part, wanted.wrong) for part in parts) else "open"


def rates(all_scenarios, results):
    """Rates of each scenario that has results, and those of all together."""
    shown = [Rates(scenario, [row for row in results if row["scenario"] == scenario.name])
             for scenario in all_scenarios]
    shown = [one for one in shown if one.rows]
    whole = Rates(Scenario("all", "all scenarios together"), [row for one in shown for row in one.rows])
    for one in [*shown, whole]:
        one.judge(LEVEL / (TESTS * (len(shown) + 1)))
    return shown, whole
