/**
 * Installs PyPI packages, such as `httpx==0.28.1`, into the folder `name` of `.state` once; returns
 * the folder with their programs and their `python`.
 */
export function ensurePythonTool(name: string, packages: readonly string[]): Promise<string>;

/**
 * Runs `pip install` with these arguments in the environment of a tool; `bin` is the folder that
 * `ensurePythonTool` returned.
 */
export function pipInstall(
  bin: string,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }>;
