import type { Mutant } from './mutant.d.mts';

/** A copy of the checkout, in which bugs are planted one at a time. */
export declare class Copy {
  readonly folder: string;
  /**
   * `name` is the name of the copy's folder. Each process that plants bugs needs a different name.
   */
  constructor(name?: string);
  /** Plants a bug in the copy, runs `work`, and removes the bug. */
  with<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
}
