#!/usr/bin/env python3
"""Checks a trace with Perfetto's own trace processor: what the viewer would refuse or lose is an error.

Usage: pip install perfetto; splitpoint search BK12 --depth 7 --machine virtual --threads 4 --trace bk12.json;
       scripts/check-trace.py bk12.json [TRACE_PROCESSOR]

The package fetches the program of the trace processor when it first needs it, unless its path is given.
"""

import json
import sys

from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig


def main(path, binary=None):
    events = json.load(open(path))["traceEvents"]
    count = {kind: sum(event["ph"] == kind for event in events) for kind in "Xisf"}
    config = TraceProcessorConfig(bin_path=binary) if binary else TraceProcessorConfig()
    with TraceProcessor(trace=path, config=config) as processor:
        def first(query):
            return next(iter(processor.query(query)))

        # Durations of -1 are slices without an end, and instants have none.
        is_slice = "dur > 0 or (dur = 0 and name not in ('cutoff', 'stop'))"
        slices = first(f"select count(*) as n from slice where {is_slice}").n
        instants = first("select count(*) as n from slice where name in ('cutoff', 'stop')").n
        arrows = list(processor.query(
            "select o.name as owner, h.name as helper, o.ts <= h.ts as forward from flow"
            " join slice o on flow.slice_out = o.id join slice h on flow.slice_in = h.id"
        ))
        errors = [row.name for row in processor.query(
            "select name from stats where severity in ('error', 'data_loss') and value > 0"
        )]
        unfinished = first("select count(*) as n from slice where dur < 0").n
        names = sorted({row.name for row in processor.query("select distinct name from slice")})
    assert not errors, f"the trace processor found errors: {errors}"
    assert unfinished == 0, f"{unfinished} slices without an end"
    assert slices == count["X"], f"{slices} slices of {count['X']}"
    assert instants == count["i"], f"{instants} instants of {count['i']}"
    assert len(arrows) == count["s"] == count["f"], f"{len(arrows)} arrows of {count['s']}"
    assert all((row.owner, row.helper, row.forward) == ("own", "help", 1) for row in arrows), "an arrow leads elsewhere"
    print(f"{path}: {slices} slices ({', '.join(names)}), {len(arrows)} arrows, {instants} instants")


if __name__ == "__main__":
    main(*sys.argv[1:])
