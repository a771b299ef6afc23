/** A path through the code, file by file as one opens them. */
export interface Walk {
  readonly name: string;
  readonly files: readonly string[];
  /** It may not grow longer. */
  readonly most: { readonly files: number; readonly changes: number };
}

export interface Walked {
  readonly name: string;
  readonly files: number;
  readonly changes: number;
  /** Empty when the walk is as it should be. */
  readonly complaints: readonly string[];
}

export function walk(root: string, walk: Walk): Walked;
