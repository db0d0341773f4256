#!/usr/bin/env python3
"""Counts what is false in reports: draws experiments of which the truth is known, and has the binary report them.

Each scenario is a small experiment that the binary runs once. For every report, times, nodes and all that hangs on them
are drawn anew in its journal, from a truth in which most things are equal. A report is false if it claims a difference
that the truth does not have (claims.csv), or says in words that one of two equals is faster, or that a speedup changes
with the size of the search where it does not. Intervals are held against the truth: those of the tables, and those of
the verdict, known by the figure that they stand beside. Engines of known speedups have a state that is right, and
published claims that are true or 1.7 times too high have a verdict.

Results are appended to OUT/reports.csv, and a rerun draws only what is missing there. Results of another binary, seed
or version of this script, or with other words, do not count. The exit status is 1 if a rate of false reports or of
wrong states or verdicts is shown to be above 5 %, or of missing intervals in the verdict above 5.5 % (binomial tests,
corrected for their number), or a rate of interval misses above what is documented, or if what must be found is not. It
is 2 if a report failed or set records aside, or if the script does not understand one.

Examples:
  scripts/null-reports.py --out /tmp/null --jobs 2               # all scenarios, 120 reports each: ten minutes
  scripts/null-reports.py --out /tmp/null --reports 20           # a pilot; a later run with more reports continues it
  scripts/null-reports.py --out /tmp/null --scenario tails --scenario health
  scripts/null-reports.py --out /tmp/null --reports 0 --markdown # only the tables of what is there
  scripts/null-reports.py --list
  scripts/null-reports.py --out /tmp/null --scenario even --draw 7   # keep the folder of report 7, to look at it
"""

import sys

# No files beside the modules of the script.
sys.dont_write_bytecode = True

from null_reports.command_line import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], __doc__))
