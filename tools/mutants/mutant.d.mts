/** A bug to plant, and the tests that must catch it. */
export interface Mutant {
  /** What the program does wrong with the bug, in the words of the domain. */
  readonly name: string;
  readonly file: string;
  /** `from` is a text that occurs once in the file; `to` replaces it. */
  readonly from: string;
  readonly to: string;
  readonly nets: {
    /** The paths of specs that must fail because of the bug. */
    readonly specs: readonly string[];
    /**
     * A text of the violation that the simulation must report because of the bug. A run that only
     * reports other violations does not catch the bug; nor does a run that exceeds its time limit.
     */
    readonly simulation?: string;
    /**
     * Whether a spec must fail that compares the tables of the simulation with those of PostgreSQL:
     * for bugs in SQL, which the simulation does not execute.
     */
    readonly contract?: true;
    /** A text of the check of `npm run chaos` that must fail because of the bug. */
    readonly chaos?: string;
    /** A text of the difference that `npm run books` must report because of the bug. */
    readonly books?: string;
  };
}
