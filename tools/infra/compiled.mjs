import { programFile } from './programs.mjs';
import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';

/**
 * Runs a command-line tool of this repository from the compiled code. @param {string} name @param
 * {string[]} args
 */
export const runCompiled = async (name, args, env) => {
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const { code, output } = await run(process.execPath, [programFile(name), ...args], options);
  if (code !== 0) {
    throw new Failure(`The tool '${name}' failed: see its output above.`, lastLines(output));
  }
  return output.trim();
};
