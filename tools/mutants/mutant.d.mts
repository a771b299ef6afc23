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
    /** Whether the simulation must fail because of the bug. */
    readonly simulation?: boolean;
    /** Whether `npm run chaos` must fail because of the bug. */
    readonly chaos?: boolean;
    /** Whether `npm run books` must fail because of the bug. */
    readonly books?: boolean;
  };
}
