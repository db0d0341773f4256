"""The scenarios, in the order of the table."""

import math

from .scenario import MOST_MISSES_OF_THREE, NORMAL, SKEWED, SLOW_TENTH, STRATEGIES, TAILS, Outcomes, Scenario

MORE_STRATEGIES = (*STRATEGIES, "root", "pv-split", "dts")
REFERENCE = 'asks = "effect"\nreference = { strategy = "ybwc" }'
LIKE_THESE = 'interval = "positions like these"'
REAL = {"machine": "real", "threads": (2,)}


def of_noise():
    """Equal strategies, and noise of several shapes."""
    yield Scenario("even", "3 strategies equal in truth, even noise")
    yield Scenario("uneven-3", "noise uneven between positions, 1:3", uneven=3.0)
    yield Scenario("uneven-10", "noise uneven between positions, 1:10", uneven=10.0)
    yield Scenario("tails", "heavy tails (Student's t with 3 degrees of freedom)", shape=TAILS)
    yield Scenario("slow-tenth", "one run in ten takes about 2.5 times as long", shape=SLOW_TENTH, noise=0.3,
                   baseline_noise=0.3)
    yield Scenario("skewed", "skewed noise (exponential)", shape=SKEWED)
    yield Scenario("arms", "noise of the strategies 1:4:10", noise=0.04, arms={"abdada": 4.0, "lazy": 10.0})
    three = {"positions": 3, "most_misses": MOST_MISSES_OF_THREE}
    yield Scenario("three", "3 positions, even noise", **three)
    yield Scenario("three-uneven", "3 positions, noise 1:10", uneven=10.0, **three)
    yield Scenario("three-tails", "3 positions, heavy tails", shape=TAILS, **three)


def of_plans():
    """Equal strategies in plans of other kinds."""
    many = {"strategies": MORE_STRATEGIES, "threads": (2, 4)}
    yield Scenario("many", "6 strategies on 2 and 4 processors", **many)
    yield Scenario("reference", "comparisons with a reference", report=REFERENCE)
    yield Scenario("many-reference", "6 strategies on 2 and 4 processors with a reference", report=REFERENCE, **many)
    yield Scenario("many-tails", "6 strategies on 2 and 4 processors with a reference, heavy tails", report=REFERENCE,
                   shape=TAILS, **many)
    for shape, words in ((NORMAL, ""), (TAILS, ", heavy tails"), (SKEWED, ", skewed noise")):
        name = "like-these" if shape == NORMAL else f"like-these-{shape}"
        yield Scenario(name, f"'positions like these', effects of strategies by position{words}",
                       effects=0.25, shape=shape, report=f'asks = "best"\n{LIKE_THESE}')
    yield Scenario("features", "two features with baselines of their own, equal speedups, times 1:9",
                   strategies=("ybwc",), features=("thesis", "modern"))
    yield Scenario("seeds", "seeds [0, 1] repeated 5 times, 0.14 between and 0.08 within", **REAL, runs=5,
                   axes="seed = [0, 1]", noise=0.08, baseline_noise=0.08, between=0.14)
    yield Scenario("seeds-wide", "seeds [0, 1] repeated 5 times, 0.15 between and 0.05 within", **REAL, runs=5,
                   axes="seed = [0, 1]", noise=0.05, baseline_noise=0.05, between=0.15)
    for runs in (4, 8, 16):
        yield Scenario(f"views-{runs}", f"two engines from outside, 2 views, {runs} runs", **REAL,
                       strategies=("engine-a", "engine-b"), runs=runs, noise=0.08, baseline_noise=0.08, between=0.14)
    yield Scenario("compare", "two folders of the same truth, compared", asks="compare")


def of_sizes():
    """Speedups by size."""
    yield Scenario("growth", "speedups that grow by 5 % whenever the time of one processor doubles",
                   growth=math.log(1.05))
    yield Scenario("noisy-depths", "times of the depths on the way spread widely", plies=0.4)
    yield Scenario("curves", "speedups on 2 to 32 processors, none of which grows", strategies=("ybwc",),
                   threads=(2, 4, 8, 16, 32), report='asks = "scaling"')


def of_conditions():
    """Disturbance, limits and moves."""
    yield Scenario("disturbed-random", "all records disturbed, at random", **REAL, disturbed=1.0, slowed="random",
                   silent=True)
    yield Scenario("disturbed-one", "all records disturbed, one strategy spared", **REAL, disturbed=1.0,
                   slowed=("abdada", "lazy"), silent=True)
    yield Scenario("disturbed-some", "30 % of the records disturbed, times unchanged", **REAL, disturbed=0.3)
    for blunder, share in ((50, 0.1), (100, 0.05), (200, 0.025)):
        yield Scenario(f"moves-{blunder}", f"moves worse by just the margin: {blunder} cp in {100 * share:g} % of runs",
                       strategies=("ybwc",), top="judge = 1", blunder=(blunder, share))
    yield Scenario("limit", "limit at 1.28 times the true time, noise of one arm threefold", positions=12,
                   baseline='"none"', strategies=("ybwc", "lazy"), report=REFERENCE, noise=0.1, arms={"lazy": 3.0},
                   limit=1.28)


HEALTHY, POORLY, UNDECIDED = "healthy", "poorly", "not decided"
IDLE, CLONES, WIDER, SLOWER = "not searching", "clones", "wider", "slower"
STATES = (HEALTHY, POORLY, IDLE, CLONES, WIDER, SLOWER)


def good_to(*numbers):
    """Outcomes that name one of these numbers of threads, alone or in a set."""
    return tuple(f"good to {number}" for number in numbers)


def states(right, wrong=None, least=0.0, never=()):
    """Outcomes of `doctor`: all states that are not listed as possible are wrong. Outcomes "good to" that are not right
    are wrong."""
    wrong = wrong or tuple(state for state in (*STATES, "good to") if state not in right)
    return Outcomes(right, wrong, least, never)


def of_health():
    """States of the search of an engine from outside whose speedups are known."""
    health = {
        "asks": "health", "machine": "real", "strategies": ("engine",), "positions": 20, "baseline": "4",
        "noise": 0.25, "baseline_noise": 0.25, "between": 0.2, "effects": 0.1, "same_scores": False,
        "report": f'asks = "smp"\n{LIKE_THESE}',
    }
    def on_16(name, about, *speedups, **more):
        return Scenario(name, f"16 threads, {about}: {', '.join(map(str, speedups))}", threads=(2, 4, 8, 16),
                        speedups=dict(zip((2, 4, 8, 16), speedups)), **more, **health)
    def on_2(name, about, speedup, **more):
        return Scenario(name, f"2 threads, {about}: {speedup}", threads=(2,), speedups={2: speedup},
                        **{**health, **more})
    not_poorly = tuple(state for state in (*STATES, "good to") if state != POORLY)
    yield on_16("health-healthy", "healthy", 1.7, 2.9, 5, 8, outcomes=states((HEALTHY,), least=0.8))
    yield on_16("health-limit-4", "no gain beyond 4", 1.8, 3, 3, 3, outcomes=states(
        good_to(4), (HEALTHY, IDLE, CLONES, WIDER, SLOWER, "good to"), least=0.8, never=(HEALTHY,)))
    yield on_16("health-little-beyond-4", "8 and 2 % beyond 4", 1.6, 2.4, 2.6, 2.65, outcomes=states(
        (POORLY, *good_to(4, 8)), never=(HEALTHY,)))
    yield on_16("health-poorly", "a seventh of what it is given", 1.3, 1.6, 1.9, 2.3, outcomes=states(
        (POORLY,), never=(HEALTHY,)))
    yield on_16("health-falls", "worse beyond 8", 1.8, 2.8, 3.3, 2.4, outcomes=states(good_to(8), least=0.8))
    yield on_2("health-2-wider", "more nodes, other scores", 1.0, outcomes=states((WIDER,)))
    yield on_2("health-2-clones", "more nodes, the same scores", 1.0, same_scores=True, outcomes=states((CLONES,)))
    yield on_2("health-2-idle", "no more nodes", 1.0, rates={2: 1.0}, same_scores=True, outcomes=states((IDLE,)))
    yield on_2("health-2-1.07", "hardly any gain", 1.07, outcomes=states((WIDER, POORLY)))
    yield on_2("health-2-1.15", "little gain", 1.15, outcomes=states((WIDER, POORLY)))
    yield on_2("health-2-1.3", "some gain", 1.3, outcomes=states((POORLY,), not_poorly))
    yield on_2("health-2-1.6", "healthy", 1.6, outcomes=states((HEALTHY,)))


REPRODUCED, CONTRADICTED, NOT_SHOWN, CANNOT = "reproduced", "contradicted", "not shown", "cannot decide"
# Share of claims that must have a verdict, or be said to be beyond what the run can decide.
POWER = 0.8
TRUE = Outcomes((REPRODUCED, CANNOT), (CONTRADICTED,), POWER)
FALSE = Outcomes((CONTRADICTED, CANNOT), (REPRODUCED,), POWER)
LEVEL_TRUTH = Outcomes((NOT_SHOWN, CANNOT), (REPRODUCED, CONTRADICTED))


def speedup_test(threads, claimed, band):
    """Test that a speedup of ybwc lies within a band about what was claimed."""
    return f"""[[claim.test]]
says = "time speedup of ybwc on {threads}"
run = "speed"
measure = "speedup"
of = {{ strategy = "ybwc", threads = {threads} }}
above = {claimed / (1 + band):.3f}
below = {claimed * (1 + band):.3f}
"""


ABOVE_1 = """[[claim.test]]
says = "time speedup of ybwc by that of lazy"
run = "speed"
measure = "speedup"
of = { strategy = "ybwc", threads = 16 }
to = { strategy = "lazy", threads = 16 }
above = 1
"""


def of_claims():
    """Published claims that are true to the letter, or too high by a factor of 1.7."""
    claims = {
        "asks": "claims", "positions": 20, "runs": 1, "baseline": "1", "effects": 0.225,
        "report": f'asks = "scaling"\n{LIKE_THESE}',
    }
    several = ((2, 1.7), (4, 3.1), (8, 5.9), (16, 11.5))
    two = ((16, 10.88), (32, 16.75))
    for name, claimed, band in (("four", several, 0.15), ("two", two, 0.25)):
        tests = "\n".join(speedup_test(threads, speedup, band) for threads, speedup in claimed)
        what = f"{len(claimed)} speedups within {100 * band:.0f} %"
        of = {"strategies": ("ybwc",), "threads": tuple(threads for threads, _ in claimed), "tests": tests, **claims}
        yield Scenario(f"claims-{name}-true", f"{what}, exactly as claimed", speedups=dict(claimed), outcomes=TRUE,
                       **of)
        below = {threads: speedup / 1.7 for threads, speedup in claimed}
        yield Scenario(f"claims-{name}-below", f"{what}, 1.7 times below, growing by 10 % a doubling", speedups=below,
                       growth=math.log(1.1), outcomes=FALSE, **of)
    yield Scenario("claims-above-1", "a ratio above 1 that is 1", strategies=("ybwc", "lazy"), threads=(16,),
                   tests=ABOVE_1, outcomes=LEVEL_TRUTH, **claims)


def of_power():
    """One strategy that is slower."""
    for percent in (10, 20, 30):
        yield Scenario(f"power-{percent}", f"one strategy slower by {percent} %",
                       slower={"lazy": math.log(1 + percent / 100)}, reports=60)


def scenarios():
    """All scenarios."""
    parts = (of_noise, of_plans, of_sizes, of_conditions, of_health, of_claims, of_power)
    return [scenario for part in parts for scenario in part()]
