/**
 * Installs PyPI packages, such as `httpx==0.28.1`, into the folder `name` of `.state` once; returns
 * the folder with their programs and their `python`.
 */
export function ensurePythonTool(name: string, packages: readonly string[]): Promise<string>;
