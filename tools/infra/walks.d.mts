/** A path through the code: files in the order in which a reader opens them. */
export interface Walk {
  readonly name: string;
  readonly files: readonly string[];
  /** The maximum numbers of files and of changes of folder. */
  readonly most: { readonly files: number; readonly changes: number };
}

export interface Walked {
  readonly name: string;
  readonly files: number;
  readonly changes: number;
  /** The violations of the walk as text; empty if there are none. */
  readonly complaints: readonly string[];
}

export function walk(root: string, walk: Walk): Walked;
