export interface Part {
  /** Within a sentence. */
  readonly name: string;
  /** A file that exists if and only if this part of the data exists. */
  readonly file: string;
}

/**
 * Throws a `Failure` when some parts of an earlier run's data exist and others are missing, because
 * the parts are unusable without each other and without the secrets that decrypt them. The message
 * says how to delete all of it.
 */
export function checkKeptData(kept: {
  readonly data: readonly Part[];
  readonly secrets: Part;
  readonly reset: string;
}): void;
