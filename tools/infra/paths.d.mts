/** The root folder of the checkout. */
export const ROOT: string;

/** Everything a run leaves behind: data folders, jars, logs, certificate, secrets. Git-ignored. */
export const STATE: string;

/** The path of a folder below `.state`, created when missing. */
export function stateDir(...parts: readonly string[]): string;
