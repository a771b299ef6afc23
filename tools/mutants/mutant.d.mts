/** A change of one place in the code. */
export interface Change {
  readonly file: string;
  /** `from` is code that occurs once in the file. The change replaces it by `to`. */
  readonly from: string;
  readonly to: string;
}

/** A planted bug, and the tests that must detect it. */
export interface Mutant extends Change {
  /** What the program does wrong with the bug, in the words of the domain. */
  readonly name: string;
  /** A second place, for a bug that would do nothing while the other place does the same work. */
  readonly also?: Change;
  readonly nets: {
    /** The paths of specs that must fail because of the bug. */
    readonly specs: readonly string[];
    /**
     * A part of the violation that the simulation must report because of the bug. A simulation that
     * reports only other violations, or exceeds its time limit, has not detected the bug.
     */
    readonly simulation?: string;
    /**
     * Whether the bug must make a spec fail that compares the simulation's tables with
     * PostgreSQL's. This is required of bugs in SQL, which the simulation does not execute.
     */
    readonly contract?: true;
    /** A part of the name of the check in `npm run chaos` that must fail because of the bug. */
    readonly chaos?: string;
    /** A part of the difference that `npm run books` must report because of the bug. */
    readonly books?: string;
  };
}
