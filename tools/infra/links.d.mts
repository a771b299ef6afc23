/** The links and citations below `root` that lead nowhere; empty when all resolve. */
export function linkComplaints(root: string): readonly string[];
