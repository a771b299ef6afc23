/** Node's program in this version, from its npm package; stored in `.state`. */
export function ensureNode(version: string): Promise<string>;
