"""Nodes a second and time to a depth by the number of threads, for ReFrame 4: with splitpoint in the path,

    reframe -c reframe_splitpoint.py -r --performance-report
"""

import json

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class Search(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "splitpoint"
    threads = parameter([1, 2])
    position = parameter(["BK12", "BK22"])

    @run_before("run")
    def asked(self):
        self.num_cpus_per_task = self.threads
        self.executable_opts = ["search", self.position, "--depth", "12", "--threads", str(self.threads), "--alone", "--json"]

    @deferrable
    def found(self, key):
        with open(self.stagedir + "/" + str(self.stdout)) as file:
            return json.load(file)["positions"][0][key]

    @sanity_function
    def reached(self):
        return sn.assert_ge(self.found("depth"), 12)

    @performance_function("s")
    def seconds(self):
        return self.found("time_s")

    @performance_function("nodes/s")
    def speed(self):
        return self.found("nps")
