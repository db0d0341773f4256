"""A scenario: an experiment, the noise of its records, and what is true of it."""

import json
import math
from dataclasses import dataclass, field

DEPTH = 4
STRATEGIES = ("ybwc", "abdada", "lazy")
# Positions of balanced-200. In the first ten a side may still castle: an engine from outside has two views of each.
POSITIONS = ("B001", "B002", "B004", "B005", "B008", "B010", "B014", "B015",
             "B022", "B023", "B024", "B025")
# Above so many, every tenth position of the suite.
MOST_LISTED = len(POSITIONS)
POSITIONS_OF_SUITE = 200
# Name in the experiments of an engine from outside.
OUTSIDE = "engine"

# Share of intervals that may miss the truth: what docs/statistics.md admits, with a little room.
MOST_MISSES = 0.07
# With three positions it admits more.
MOST_MISSES_OF_THREE = 0.11

# Shapes of noise.
NORMAL, TAILS, SKEWED, SLOW_TENTH = "normal", "tails", "skewed", "slow tenth"


@dataclass(frozen=True)
class Outcomes:
    """What a report may say of a state or of a claim, by the truth. What is in neither list is no error, but is not
    what was to be found."""

    right: tuple
    wrong: tuple = ()
    # Share of reports that must have a right outcome.
    least: float = 0.0
    # Outcomes that no report at all may have.
    never: tuple = ()


@dataclass
class Scenario:
    """An experiment, the noise of its records, and what is true of it."""

    name: str
    about: str
    # What is asked of the folder: "report", "compare" with another one of the same truth, "health" or "claims".
    asks: str = "report"
    machine: str = "virtual"
    positions: int = 8
    runs: int = 4
    strategies: tuple = STRATEGIES
    threads: tuple = (4,)
    features: tuple = ("thesis",)
    # Further lines of the experiment file: of the top, of [axes] and of [report].
    top: str = ""
    axes: str = ""
    report: str = 'asks = "best"'
    baseline: str = "8"
    # Standard deviations of ln time: between runs, between runs of the baseline, and of single arms as multiples.
    noise: float = 0.2
    baseline_noise: float = 0.135
    arms: dict = field(default_factory=dict)
    shape: str = NORMAL
    # Between seeds, or between the views that an engine from outside has of a position.
    between: float = 0.0
    # Ratio of the noisiest position to the calmest.
    uneven: float = 1.0
    # Standard deviation of strategy-by-position effects, drawn anew for each report.
    effects: float = 0.0
    # Spread of the times of a ply, as a multiple of its logarithm.
    plies: float = 0.1
    # Time speedups in truth by the number of processors, in place of that number; and nodes a second.
    speedups: dict = field(default_factory=dict)
    rates: dict = field(default_factory=dict)
    # Logarithm by which the time of an arm is longer in truth.
    slower: dict = field(default_factory=dict)
    # Logarithm by which the speedup grows in truth when the time of one processor doubles.
    growth: float = 0.0
    # Whether all searches of a position have the same score.
    same_scores: bool = True
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
    # Blocks [[claim.test]] of the claim that is judged.
    tests: str = ""
    # States or verdicts that are right and wrong.
    outcomes: Outcomes = None
    # A scenario of power counts the reports that find what is there, and has no rate to be tested.
    reports: int = 0

    @property
    def is_outside(self):
        """Whether engines from outside search."""
        return any(name.startswith(OUTSIDE) for name in self.strategies)

    def speedup(self, arm, threads):
        """Time speedup in truth."""
        return self.speedups.get(threads, threads) / math.exp(self.slower.get(arm, 0.0))

    def rate(self, threads):
        """Nodes a second relative to one processor, in truth."""
        return self.rates.get(threads, threads)

    def nodes(self, arm, threads):
        """Nodes relative to one processor, in truth."""
        return self.rate(threads) / self.speedup(arm, threads)

    def toml(self, binary):
        """Text of the experiment file."""
        quoted = json.dumps
        # One schedule and no other prices: figures are drawn for one baseline and one model.
        lines = ['title = "Null reports"', f"baseline = {self.baseline}"]
        lines += [] if "none" in self.baseline else ["schedules = 1", "price_range = false"]
        # A single chart, since drawing all of them takes most of the time of a report.
        lines += [f"repetitions = {self.runs}", self.top, "[report]", 'charts = ["time-speedup"]', self.report]
        lines += ["[positions]", 'suite = "balanced-200"']
        if self.positions > MOST_LISTED:
            lines += [f"every = {POSITIONS_OF_SUITE // self.positions}", 'why = "Every so many, to save time."']
        else:
            lines += [f"ids = {quoted(POSITIONS[:self.positions])}"]
        if self.is_outside:
            for name in self.strategies:
                lines += [f"[engines.{name}]", f"command = {quoted([str(binary), 'uci'])}"]
        lines += ["[axes]", f"machine = {quoted(self.machine)}", f"strategy = {quoted(self.strategies)}"]
        lines += [f"threads = {quoted(self.threads)}", f"depth = {DEPTH}", "hash = 1", self.axes]
        lines += [] if self.is_outside else [f"features = {quoted(self.features)}"]
        return "\n".join(lines) + "\n"
