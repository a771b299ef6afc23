/** Installs a program of PyPI into `.state` once; answers the folder with it and its `python`. */
export function ensurePythonTool(name: string, version: string): Promise<string>;
