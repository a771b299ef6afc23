/** The root folder of the checkout. */
export const ROOT: string;

/**
 * The folder for data, Java libraries, logs, certificate and secrets of all runs. Git ignores it.
 */
export const STATE: string;

/** The path of a folder below `.state`, created when missing. */
export function stateDir(...parts: readonly string[]): string;
