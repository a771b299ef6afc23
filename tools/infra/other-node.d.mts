/** The version of Node in the image, as the Dockerfile names it. */
export function imagesNode(): string;

/** The path of this version of Node, from its npm package; stored in `.state`. */
export function ensureNode(version: string): Promise<string>;

/**
 * The path of the Node that runs specs and benches: this process's own if it has the image's major
 * version, otherwise the image's. So they test and measure what runs in production.
 */
export function ensureImagesNode(): Promise<string>;
