/** A planted bug, and the nets that must catch it. */
export interface Mutant {
  /** What is wrong with the program, in the words of the domain. */
  readonly name: string;
  readonly file: string;
  /** A text that occurs once in the file, and what replaces it. */
  readonly from: string;
  readonly to: string;
  readonly nets: {
    /** The specs of the room, as paths. */
    readonly specs: readonly string[];
    /** Whether simulated orders must show it. */
    readonly simulation?: boolean;
  };
}
