"""The truth of one report and its noise: times, nodes and shares of searches."""

import math
from dataclasses import dataclass

from .scenario import SKEWED, SLOW_TENTH, TAILS

NODES_PER_S = 1e6  # of searching
# Means of the shares of time that processors work, and that they search while they work.
UTILISATION, PRODUCTIVE = 0.85, 0.97
# Parts of the noise: nodes, rate, utilisation, productive share. Their squares add up to 1.
PARTS = (0.95, 0.15, 0.25, 0.1118)
# An engine from outside tells no shares.
PARTS_OUTSIDE = (0.9887, 0.15, 0.0, 0.0)
# Share of slow runs, and the standard deviation of the others.
SLOW_SHARE, OTHERS = 0.1, 0.4
# Logarithm of the time of a slow run by that of others, for a variance of 1.
SLOW = math.sqrt((1 - OTHERS**2) / (SLOW_SHARE * (1 - SLOW_SHARE)))


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
        """A random number of mean 0 and variance 1."""
        rng, shape = self.rng, self.scenario.shape
        if shape == SKEWED:
            return rng.expovariate(1.0) - 1.0
        if shape == SLOW_TENTH:
            return OTHERS * rng.gauss(0, 1) + SLOW * ((rng.random() < SLOW_SHARE) - SLOW_SHARE)
        if shape == TAILS:
            # Student's t with 3 degrees of freedom, whose variance is 3.
            return rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2.0) / 3.0) / math.sqrt(3.0)
        return rng.gauss(0, 1)

    def constant(self, key, deviation):
        """A random number that is the same whenever the key is."""
        if deviation == 0.0:
            return 0.0
        return deviation * self.constants.setdefault(key, self.rng.gauss(0, 1))

    def share(self, mean, deviation):
        """Logarithm of a share below 1: odd about that of the mean, so that all arms have the same mean."""
        most = -0.999 * math.log(mean)
        is_symmetric = self.scenario.shape not in (SKEWED, SLOW_TENTH)
        unit = self.unit() if is_symmetric else self.rng.gauss(0, 1)
        return math.log(mean) + most * math.tanh(deviation * unit / most)


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


def seed_class(scenario, cell):
    """Searches of one class differ by noise alone. An engine from outside sees a position in two views, or in four
    where nobody may castle."""
    if not scenario.is_outside:
        return cell["seed"]
    may_castle = cell["fen"].split(" ")[2] != "-"
    return cell["seed"] % (2 if may_castle else 4)


def draw(noise, cell):
    """Draws the search of a cell."""
    scenario, position = noise.scenario, cell["position"]
    arm, threads = arm_of(cell), cell["configuration"]["threads"]
    deviation = scenario.baseline_noise if is_baseline(cell) else scenario.noise * scenario.arms.get(arm, 1.0)
    deviation *= noise.weight[position]
    features = cell["configuration"]["features"]
    place = (arm, is_baseline(cell), features, threads, position)
    log_nodes = noise.level[position] + noise.constant((*place, seed_class(scenario, cell)), scenario.between)
    log_rate = 0.0
    if not is_baseline(cell):
        log_nodes += noise.constant(place, scenario.effects) + math.log(scenario.nodes(arm, threads))
        log_rate += math.log(scenario.rate(threads) / threads)
    if features == "modern":
        log_nodes -= 2.2
    parts = PARTS_OUTSIDE if scenario.is_outside else PARTS
    nodes_part, rate_part, utilisation_part, productive_part = (deviation * part for part in parts)
    log_nodes += nodes_part * noise.unit()
    log_rate += rate_part * noise.unit()
    log_utilisation = noise.share(UTILISATION, utilisation_part)
    log_productive = noise.share(PRODUCTIVE, productive_part)
    # One processor takes a second at level 0; with a limit, all of them do.
    whole = 1.0 if not scenario.limit else threads
    work = NODES_PER_S * whole * UTILISATION * PRODUCTIVE * math.exp(log_nodes)
    time_s = work / NODES_PER_S / math.exp(log_rate + log_utilisation + log_productive) / threads
    return Drawn(time_s, round(work), math.exp(log_utilisation), math.exp(log_productive))
