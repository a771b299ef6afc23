/**
 * The number of random sequences for which the simulated tables are compared with PostgreSQL:
 * `few`, or the number in the environment variable CONTRACT_RUNS, e.g. to check that a planted bug
 * is found with any seed.
 */
export const contractRuns = (few: number): number => Number(process.env['CONTRACT_RUNS'] ?? few);
