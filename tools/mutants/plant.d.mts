import type { Change, Mutant } from './mutant.d.mts';

export function changesOf(mutant: Mutant): readonly Change[];

/** @throws Failure if the text of the bug `name` does not occur exactly once in its file */
export function planted(name: string, change: Change, text: string): string;
