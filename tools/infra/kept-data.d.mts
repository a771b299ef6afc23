export interface Part {
  /** Within a sentence. */
  readonly name: string;
  /** It is there while this file is. */
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
