"""Tables of rates, for the terminal and for documents."""

from .rates import kind_of, upper_bound

LINE = "{:<22} {:>7} {:>6} {:>6} {:>6} {:>17} {:>7} {:>13} {:>15} {:>6}  {}"
HEADS = ("scenario", "reports", "false", "rate", "bound", "claims/order/size", "found", "intervals", "verdict",
         "growth", "")


# Columns of the intervals that miss, and of all of them: of speedups, in the verdict, of growth.
MISSES = (("misses", "intervals"), ("verdict_misses", "of_verdict"), ("growth_misses", "growths"))


def misses(one, name, of):
    """`5.2 % of 360`."""
    total = one.total(of)
    return f"{one.total(name) / total:.1%} of {total}" if total else "-"


def percent_of(one, name, of):
    total = one.total(of)
    return f"{one.total(name) / total:.1%}" if total else "-"


def show(shown, whole):
    """Prints the rates of scenarios, then outcomes where there are any."""
    print(LINE.format(*HEADS))
    for one in [*shown, whole]:
        parts = "/".join(str(one.total(name)) for name in ("false", "words", "growth_words"))
        print(LINE.format(
            one.scenario.name, one.count, one.false, f"{one.false / one.count:.1%}",
            f"{upper_bound(one.false, one.count):.1%}", parts, one.total("found") if one.scenario.slower else "-",
            misses(one, "misses", "intervals"), misses(one, "verdict_misses", "of_verdict"),
            percent_of(one, "growth_misses", "growths"), "  ".join(one.remarks),
        ))
    with_outcomes = [one for one in shown if one.outcomes]
    if with_outcomes:
        print(f"\n{'outcomes':<22} {'right':>7} {'wrong':>6}")
    for one in with_outcomes:
        right, wrong = numbers_of(one)
        said = ", ".join(f"{name.replace('|', ' or ')} {number}" for name, number in one.outcomes)
        print(f"{one.scenario.name:<22} {right:>4}/{one.count:<2} {wrong:>6}  {said}")
    times = [sum(float(row[name]) for row in whole.rows) / whole.count for name in ("draw_s", "report_s")]
    print(f"a report took {times[0]:.2f} s to draw and {times[1]:.2f} s to make")


def numbers_of(one):
    """Numbers of reports with a right and with a wrong outcome."""
    kinds = [kind_of(one.scenario.outcomes, row["outcome"]) for row in one.rows]
    return kinds.count("right"), kinds.count("wrong") + kinds.count("never")


def markdown(shown, whole):
    """Prints both tables as documents have them."""
    print("| scenario | reports | false | at most | speedup intervals that miss | of the verdict | of growth |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for one in [*(one for one in shown if not one.scenario.outcomes and not one.scenario.slower), whole]:
        about = one.scenario.about if one is not whole else "all, with those below"
        cells = (about, one.count, one.false, f"{100 * upper_bound(one.false, one.count):.1f} %",
                 *(percent_of(one, *names).replace("%", " %").replace("-", "–") for names in MISSES))
        print("|", " | ".join(map(str, cells)), "|")
    print("\n| truth | reports | right | wrong | what was said |")
    print("|---|---:|---:|---:|---|")
    for one in (one for one in shown if one.outcomes):
        said = ", ".join(f"{name.replace('|', ' or ')}: {number}" for name, number in one.outcomes)
        print(f"| {one.scenario.about} | {one.count} | {' | '.join(map(str, numbers_of(one)))} | {said} |")
