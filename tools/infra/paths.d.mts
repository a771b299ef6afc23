/** The top of the checkout. */
export const ROOT: string;

/** Everything a run leaves behind: data folders, jars, logs, certificate, secrets. Git-ignored. */
export const STATE: string;

/** A folder below `.state`, made when missing. */
export function stateDir(...parts: readonly string[]): string;
