/** The root folder of the checkout. */
export const ROOT: string;

/**
 * The folder of everything that runs store: data folders, jars, logs, certificate, secrets. Git
 * ignores it.
 */
export const STATE: string;

/** The path of a folder below `.state`, created when missing. */
export function stateDir(...parts: readonly string[]): string;
