export interface Word {
  /** The source of a regular expression. */
  readonly pattern: string;
  /** What to write instead. */
  readonly write: string;
  /** Files and folders in which the word has its ordinary meaning. */
  readonly allowed?: readonly string[];
}

export interface WordOptions {
  /** Files and folders to read; all unless given. */
  readonly places?: readonly string[];
  /** Files and folders to leave out. */
  readonly pending?: readonly string[];
}

/** Each word of the list in the files below `root`: `file:line: "word": write …`. */
export function wordComplaints(root: string, options?: WordOptions): readonly string[];
