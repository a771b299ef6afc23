import type { Mutant } from './mutant.d.mts';

export const MUTANTS: readonly Mutant[];
