"""Tests of what the script makes of words and of figures: `python3 -m unittest null_reports.tests` in scripts."""

import unittest

from .journals import scaled
from .judging import GAINS, LOSES
from .rates import at_least, excess_of_misses, kind_of, upper_bound
from .scenario import Outcomes
from .scenarios import scenarios
from .verdicts import Verdict

# Label, estimate, truth.
KNOWN = [("abdada", 1.7204, 1.65), ("lazy", 1.6183, 1.65), ("ybwc", 1.05, 1.2)]


class Tests(unittest.TestCase):
    def test_intervals_of_verdicts_are_held_against_the_truth(self):
        for text, intervals, misses, unread in [
            ("abdada is 1.72 times (1.60 to 1.84) as fast as one processor, which takes 1.15 s.", 1, 0, 0),
            ("abdada is 1.72 times (1.66 to 1.84) as fast as one; lazy (1.62) is not shown to differ", 1, 1, 0),
            ("abdada is 1.72 times as fast as one processor (1.66 to 1.84, 98.3 %).", 1, 1, 0),
            ("On 2 processors, abdada 1.72 (1.60 to 1.84), lazy 1.62 (1.50 to 1.64).", 2, 1, 0),
            ("three are 1.62 to 1.72 times as fast as one processor, none shown to differ.", 0, 0, 0),
            ("three are 1.62 to 1.72 times (1.50 to 1.84) as fast as one processor.", 1, 0, 0),
            ("three are 1.62 to 1.72 times (1.50 to 1.64) as fast as one processor.", 1, 1, 0),
            ("ybwc takes 5.0 % more time (1.1 to 9.4).", 1, 1, 0),
            ("abdada is 3.33 times (1.60 to 1.84) as fast as one processor.", 0, 0, 1),
            ("three are 1.62 to 9.99 times as fast as one processor.", 0, 0, 1),
            ("copying takes 4.20 % of the time (4.1 to 4.3).", 0, 0, 0),
            ("good to 4 or 8 of 2 to 16 threads (16 %).", 0, 0, 0),
        ]:
            found = Verdict(KNOWN, [0.042], text)
            self.assertEqual((found.intervals, found.misses, len(found.unread)), (intervals, misses, unread), text)

    def test_the_label_before_an_estimate_tells_equal_estimates_apart(self):
        known = [("abdada", 1.72, 1.65), ("lazy", 1.72, 2.0)]
        self.assertEqual(Verdict(known, [], "lazy is 1.72 times (1.60 to 1.84) as fast").misses, 1)
        self.assertEqual(Verdict(known, [], "abdada is 1.72 times (1.60 to 1.84) as fast").misses, 0)

    def test_sentences_on_growth_are_known(self):
        self.assertRegex("lazy gains 3.2 % (0.7 to 5.7) whenever the time of one processor doubles", GAINS)
        self.assertRegex("one takes 24 ms, and speedups still grow with size", GAINS)
        self.assertRegex("lazy loses with size: × 0.962 (0.932 to 0.993) a doubling.", LOSES)
        for pattern in (GAINS, LOSES):
            self.assertNotRegex("lazy is not shown to change with size: × 0.988 (0.958 to 1.019) a doubling", pattern)

    def test_histograms_keep_their_bins(self):
        sharing = {"times": {"packs": 12}, "distributions": {"cost_ns": [[12, 1], [13, 4]]}, "deepest": 7}
        self.assertEqual(scaled(sharing, 10.0), {**sharing, "times": {"packs": 120}})
        self.assertEqual(scaled({"places": [[0, 26, 0], [549, 29, 0]]}, 2.0), {"places": [[0, 52, 0], [1098, 58, 0]]})

    def test_outcomes_are_right_if_one_of_a_set_is(self):
        wanted = Outcomes(("good to 4",), ("healthy", "good to"), never=("healthy",))
        kinds = [kind_of(wanted, said) for said in ("good to 4|good to 8", "good to 8", "healthy", "not decided")]
        self.assertEqual(kinds, ["right", "wrong", "never", "open"])

    def test_rates_have_binomial_bounds(self):
        self.assertAlmostEqual(at_least(1, 10, 0.05), 1 - 0.95**10)
        self.assertAlmostEqual(upper_bound(0, 59), 0.0495, places=3)
        self.assertLess(excess_of_misses([0.1, 0.1], 20, 0.07), 1.0)

    def test_scenarios_have_names_of_their_own(self):
        names = [scenario.name for scenario in scenarios()]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
