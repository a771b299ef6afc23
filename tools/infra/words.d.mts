export interface Word {
  /** The source of a regular expression for the word. */
  readonly pattern: string;
  /** The word or words to write instead. */
  readonly write: string;
  /** Files and folders in which the word has its ordinary meaning. */
  readonly allowed?: readonly string[];
}

/**
 * A line of text for each listed word in the files below `root` or in their names: `file:line:
 * "word": write …`.
 */
export function wordComplaints(root: string, places?: readonly string[]): readonly string[];
