import type { Mutant } from './mutant.d.mts';

/** A copy of the checkout, in which bugs are planted one at a time. */
export declare class Copy {
  readonly folder: string;
  /** `name`: of the copy's folder, one for each process that plants bugs. */
  constructor(name?: string);
  /** Runs `work` while the bug is in the copy. */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
}
