/**
 * Installs a PyPI program into `.state` once; returns the folder with the program and its `python`.
 */
export function ensurePythonTool(name: string, version: string): Promise<string>;
