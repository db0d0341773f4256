//! What the starters of MPI programs tell a process.

/// Variables of the environment with the number of processes: those of Open MPI, and of MPICH and its relatives.
const NUMBERS: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];
/// That of `srun`, whose tasks write to one another only if it serves MPI: else they are tasks by themselves.
const TASKS_OF_SRUN: (&str, &str) = ("SLURM_STEP_NUM_TASKS", "PMIX_NAMESPACE");

/// Number of processes that a starter of MPI programs says it has started, if one started this process.
pub fn processes_started() -> Option<usize> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
    let (tasks, of_mpi) = TASKS_OF_SRUN;
    let of_srun = std::env::var_os(of_mpi).and_then(|_| number(tasks));
    NUMBERS.iter().filter_map(|name| number(name)).chain(of_srun).max()
}
