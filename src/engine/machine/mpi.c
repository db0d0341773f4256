/* The little that a search needs of MPI. One thread at a time is in here (MPI_THREAD_SERIALIZED). Errors of MPI end all
   processes, with a message: its default. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

/* Begins. Returns 0, or 1 if MPI did not start, or 2 if it does not serve threads. */
int splitpoint_mpi_begin(int *rank, int *ranks) {
    int given;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS) return 1;
    if (given < MPI_THREAD_SERIALIZED) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
    return 0;
}

/* Begins to send words, which must stay where they are until `splitpoint_mpi_is_sent` has said so of the result. */
void *splitpoint_mpi_send(const uint64_t *words, int count, int to, int tag) {
    MPI_Request *request = malloc(sizeof *request);
    if (request == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Isend((void *)words, count, MPI_UINT64_T, to, tag, MPI_COMM_WORLD, request);
    return request;
}

/* Whether a letter is sent; if so, its handle is gone. */
int splitpoint_mpi_is_sent(void *sending) {
    int sent;
    MPI_Test(sending, &sent, MPI_STATUS_IGNORE);
    if (sent) free(sending);
    return sent;
}

/* A letter that has come, with its sender and the number of its words; NULL if there is none. It must be received. */
void *splitpoint_mpi_probe(int tag, int *from, int *count) {
    int there;
    MPI_Status status;
    MPI_Message found;
    MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &found, &status);
    if (!there) return NULL;
    MPI_Message *message = malloc(sizeof *message);
    if (message == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    *message = found;
    *from = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_UINT64_T, count);
    return message;
}

/* Receives a letter that was found, into this many words. Its handle is gone. */
void splitpoint_mpi_receive(void *message, uint64_t *words, int count) {
    MPI_Mrecv(words, count, MPI_UINT64_T, message, MPI_STATUS_IGNORE);
    free(message);
}

/* Ends. */
void splitpoint_mpi_end(void) { MPI_Finalize(); }
