export interface Part {
  /** The name of the data within a sentence. */
  readonly name: string;
  /** A file that exists only if this part of the data exists. */
  readonly file: string;
}

/**
 * Throws a `Failure` if only some parts of an earlier run's data exist. The parts are unusable
 * without each other and without the secrets that decrypt them. The message says how to delete all
 * of them.
 */
export function checkKeptData(kept: {
  readonly data: readonly Part[];
  readonly secrets: Part;
  readonly reset: string;
}): void;
