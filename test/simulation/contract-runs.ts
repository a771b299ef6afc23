/**
 * The number of random sequences for which the simulated tables are compared with PostgreSQL:
 * `few` in the suite. CONTRACT_RUNS sets more, e.g. to catch a planted bug with any seed.
 */
export const contractRuns = (few: number): number => Number(process.env['CONTRACT_RUNS'] ?? few);
