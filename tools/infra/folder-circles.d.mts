export interface Area {
  /** Below the root. */
  readonly folder: string;
  /** The area's folders from the bottom up; without this list any order without a cycle passes. */
  readonly rooms?: readonly string[];
}

/** The complaints about the folders below `root`; empty when there are none. */
export function folderComplaints(root: string, areas: readonly Area[]): readonly string[];
