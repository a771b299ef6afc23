import type { Mutant } from './mutant.d.mts';

/** @throws Failure if the text of the bug does not occur exactly once in its file */
export function planted(mutant: Mutant, text: string): string;
