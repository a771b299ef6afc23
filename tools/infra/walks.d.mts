/** A path through the code, file by file in reading order. */
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
  /** What is wrong with the walk, as text; empty when it passes. */
  readonly complaints: readonly string[];
}

export function walk(root: string, walk: Walk): Walked;
