/** The program of Node in this version, from npm's package of it; kept in `.state`. */
export function ensureNode(version: string): Promise<string>;
