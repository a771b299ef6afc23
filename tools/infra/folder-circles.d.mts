export interface Area {
  /** Below the root. */
  readonly folder: string;
  /** Its folders from the bottom up; without them any order without a cycle passes. */
  readonly rooms?: readonly string[];
}

/** What is wrong below `root`; empty when nothing is. */
export function folderComplaints(root: string, areas: readonly Area[]): readonly string[];
