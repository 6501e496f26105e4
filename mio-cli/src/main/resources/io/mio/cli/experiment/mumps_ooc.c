/*
 * An out-of-core solver: Poisson's equation on a cube, by MUMPS, with the factors in files. Built and run by `mio bench experiment nastran`
 * where MUMPS is installed; knows nothing of MIO.
 *
 *	mumps_ooc SIDE SOLVES
 *
 * Files go to MUMPS_OOC_TMPDIR. Prints seconds of the factorization, of all solves, and of processors.
 */
#include <dmumps_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* As MUMPS's manual numbers them. */
#define ICNTL(i) icntl[(i) - 1]
#define USE_COMM_WORLD (-987654)
#define JOB_BEGIN (-1)
#define JOB_END (-2)
#define JOB_ANALYSE_AND_FACTORIZE 4
#define JOB_SOLVE 3

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double processors(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void *memory(size_t count, size_t bytes)
{
	void *got = calloc(count, bytes);

	if (!got) {
		fputs("mumps_ooc: no memory\n", stderr);
		exit(1);
	}
	return got;
}

static void call(DMUMPS_STRUC_C *solver, int job)
{
	solver->job = job;
	dmumps_c(solver);
	if (solver->infog[0] < 0) {
		fprintf(stderr, "mumps_ooc: job %d: error %d, %d\n", job, (int)solver->infog[0], (int)solver->infog[1]);
		exit(1);
	}
}

/* The lower half of the matrix: 6 on the diagonal, -1 for each neighbour. Returns how many entries. */
static long fill(long side, MUMPS_INT *rows, MUMPS_INT *columns, double *values)
{
	long count = 0;

	for (long i = 0; i < side * side * side; i++) {
		const long steps[3] = {1, side, side * side};
		const long at[3] = {i % side, i / side % side, i / side / side};

		rows[count] = columns[count] = (MUMPS_INT)(i + 1);
		values[count++] = 6;
		for (int axis = 0; axis < 3; axis++) {
			if (at[axis] + 1 == side)
				continue;
			rows[count] = (MUMPS_INT)(i + steps[axis] + 1);
			columns[count] = (MUMPS_INT)(i + 1);
			values[count++] = -1;
		}
	}
	return count;
}

int main(int argc, char **argv)
{
	long side = argc == 3 ? atol(argv[1]) : 0;
	long solves = argc == 3 ? atol(argv[2]) : 0;
	long unknowns = side * side * side;
	DMUMPS_STRUC_C solver = {.comm_fortran = USE_COMM_WORLD, .par = 1, .sym = 1};
	MUMPS_INT *rows, *columns;
	double *values, *right;
	double start, wrong = 0;

	if (side < 2 || side > 500 || solves < 1) {
		fputs("usage: mumps_ooc SIDE SOLVES\n", stderr);
		return 2;
	}
	rows = memory((size_t)unknowns * 4, sizeof(*rows));
	columns = memory((size_t)unknowns * 4, sizeof(*columns));
	values = memory((size_t)unknowns * 4, sizeof(*values));
	right = memory((size_t)unknowns, sizeof(*right));
	call(&solver, JOB_BEGIN);
	solver.n = (MUMPS_INT)unknowns;
	solver.nnz = fill(side, rows, columns, values);
	solver.irn = rows;
	solver.jcn = columns;
	solver.a = values;
	solver.ICNTL(1) = solver.ICNTL(2) = solver.ICNTL(3) = -1;	/* says nothing */
	solver.ICNTL(4) = 0;
	solver.ICNTL(14) = 50;	/* percent of memory more than estimated */
	solver.ICNTL(22) = 1;	/* factors go to files */
	start = now();
	call(&solver, JOB_ANALYSE_AND_FACTORIZE);
	printf("factor %.6f\n", now() - start);
	solver.nrhs = 1;
	solver.lrhs = (MUMPS_INT)unknowns;
	solver.rhs = right;
	start = now();
	for (long solve = 1; solve <= solves; solve++) {
		for (long i = 0; i < unknowns; i++)
			right[i] = 0;
		/* Of which the solution is the number of the solve, everywhere. */
		for (long i = 0; i < solver.nnz; i++) {
			right[rows[i] - 1] += values[i] * (double)solve;
			if (rows[i] != columns[i])
				right[columns[i] - 1] += values[i] * (double)solve;
		}
		call(&solver, JOB_SOLVE);
		for (long i = 0; i < unknowns; i++)
			wrong = fmax(wrong, fabs(right[i] - (double)solve) / (double)solve);
	}
	printf("solves %.6f\n", now() - start);
	call(&solver, JOB_END);
	printf("processors %.6f\n", processors());
	free(rows);
	free(columns);
	free(values);
	free(right);
	if (!(wrong < 1e-6)) {
		fprintf(stderr, "mumps_ooc: wrong by %g\n", wrong);
		return 1;
	}
	return 0;
}
