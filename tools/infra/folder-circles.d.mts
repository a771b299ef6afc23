export interface Area {
  /** The path of the area's folder, relative to the root. */
  readonly folder: string;
  /**
   * The area's folders from the lowest to the highest. Each folder may import only folders before
   * it. Without this list, the check reports only import cycles.
   */
  readonly rooms?: readonly string[];
}

/** The violations in the folders below `root`, as lines of text. */
export function folderComplaints(root: string, areas: readonly Area[]): readonly string[];
