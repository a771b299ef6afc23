export interface Part {
  /** Within a sentence. */
  readonly name: string;
  /** The data exists while this file does. */
  readonly file: string;
}

/**
 * Throws a `Failure` that says how to begin empty when some data of an earlier run is there and not
 * all that it is of use with: the other data, and the secrets that open it.
 */
export function checkKeptData(kept: {
  readonly data: readonly Part[];
  readonly secrets: Part;
  readonly reset: string;
}): void;
