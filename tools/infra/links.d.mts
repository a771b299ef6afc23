/** A line of text for each link or citation below `root` whose file or heading does not exist. */
export function linkComplaints(root: string): readonly string[];
