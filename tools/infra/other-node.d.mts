/** The path of this version of Node, from its npm package; stored in `.state`. */
export function ensureNode(version: string): Promise<string>;
