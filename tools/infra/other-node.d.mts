/** The version of Node in the image, as the Dockerfile names it. */
export function imagesNode(): string;

/** The path of this version of Node, from its npm package; stored in `.state`. */
export function ensureNode(version: string): Promise<string>;

/**
 * The path of the Node that runs specs: this process's own if its major version is at least the
 * image's, otherwise the image's. The specs then test what runs in production, and need a third
 * less CPU time than on Node 20.
 */
export function ensureNodeOfSpecs(): Promise<string>;
