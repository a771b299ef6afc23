import type { Mutant } from './mutant.d.mts';

/** The first failed test, as Jest prints its file and its name; null if none failed. */
export function firstFailure(
  output: string,
): { readonly file: string; readonly name: string } | null;

/** Whether a net has caught the bug. */
export function isCaught(result: string): boolean;

/**
 * Runs the tests ("nets") in the copy; they must fail. Returns the result of each, in words.
 */
export function runNets(
  folder: string,
  env: NodeJS.ProcessEnv,
  nets: Mutant['nets'],
): Promise<Readonly<Record<string, string>>>;
