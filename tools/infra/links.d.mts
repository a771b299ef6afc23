/** What does not resolve below `root`; empty when everything does. */
export function linkComplaints(root: string): readonly string[];
