export interface Part {
  /** Within a sentence. */
  readonly name: string;
  /** The file whose existence shows that the data exists. */
  readonly file: string;
}

/**
 * Throws a `Failure` when an earlier run has left only some of its data. Each part is unusable
 * without the others and without the secrets that decrypt it; the message says how to delete it.
 */
export function checkKeptData(kept: {
  readonly data: readonly Part[];
  readonly secrets: Part;
  readonly reset: string;
}): void;
