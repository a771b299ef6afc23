import type { Mutant } from './mutant.d.mts';

/** The file and name of the first failed test in Jest's output; null if no test failed. */
export function firstFailure(
  output: string,
): { readonly file: string; readonly name: string } | null;

/** Whether a test has detected the bug. */
export function isCaught(result: string): boolean;

/** Runs the tests that must detect the bug in the copy. Returns the result of each test as text. */
export function runNets(
  folder: string,
  env: NodeJS.ProcessEnv,
  nets: Mutant['nets'],
): Promise<Readonly<Record<string, string>>>;

/**
 * Runs the specs of several folders at once, each with one planted bug. Returns the result of each
 * folder.
 */
export function runSpecsOfFolders(
  folder: string,
  env: NodeJS.ProcessEnv,
  paths: readonly string[],
): Promise<Readonly<Record<string, string>>>;

/** The names of the failed checks in a report, without those that the run was too calm for. */
export function failuresOf(output: string): readonly string[];
