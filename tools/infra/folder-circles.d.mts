export interface Area {
  /** Below the root. */
  readonly folder: string;
  /**
   * The area's folders from bottom to top: each may import only folders before it. Without this
   * list, only cycles are reported.
   */
  readonly rooms?: readonly string[];
}

/** The violations in the folders below `root`, as lines of text. */
export function folderComplaints(root: string, areas: readonly Area[]): readonly string[];
