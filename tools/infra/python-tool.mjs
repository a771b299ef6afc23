import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { answers, lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { STATE } from './paths.mjs';
import { step } from './say.mjs';

const checkPython = () => {
  const question = 'import sys; print(sys.version_info >= (3, 11))';
  const { status, stdout } = spawnSync('python3', ['-c', question], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== 'True') {
    throw new Failure(
      'Python was not found or is too old: install Python 3.11 or newer, then try again.',
    );
  }
};

/** The arguments with which the pip of the system installs into another environment. */
const systemPip = (bin) => ['-m', 'pip', '--python', join(bin, 'python')];

/** @type {typeof import('./python-tool.mjs').pipInstall} */
export const pipInstall = (bin, ...args) => {
  const flags = ['install', '--quiet', '--disable-pip-version-check', ...args];
  const own = join(bin, 'pip');
  return existsSync(own) ? run(own, flags) : run('python3', [...systemPip(bin), ...flags]);
};

/**
 * Makes an environment. It gets a pip only if the system has none that can install into it, because
 * the installation of pip takes six CPU seconds.
 * @param {string} home
 */
const makeEnvironment = async (home) => {
  const made = await run('python3', ['-m', 'venv', '--without-pip', home]);
  const bin = join(home, 'bin');
  if (made.code !== 0 || answers('python3', [...systemPip(bin), '--version'])) return made;
  return run(join(bin, 'python'), ['-m', 'ensurepip', '--default-pip']);
};

/** @param {string} home @param {readonly string[]} packages */
const install = async (home, packages) => {
  checkPython();
  rmSync(home, { recursive: true, force: true });
  const made = await makeEnvironment(home);
  if (made.code !== 0) {
    throw new Failure(
      'Python could not make a virtual environment: install its module venv (python3-venv).',
      lastLines(made.output),
    );
  }
  // Python compiles a module when it is first imported, and most modules never are.
  const added = await pipInstall(join(home, 'bin'), '--no-compile', ...packages);
  if (added.code !== 0) {
    throw new Failure(
      `pip could not fetch ${packages.join(', ')}: check the network and the settings of pip, then try again.`,
      lastLines(added.output),
    );
  }
};

/** @type {typeof import('./python-tool.mjs').ensurePythonTool} */
export const ensurePythonTool = (name, packages) =>
  withLock(name, async () => {
    const home = join(STATE, name);
    const mark = join(home, 'version.txt');
    const wanted = packages.join('\n');
    if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
      await step(`${name} installed`, () => install(home, packages), {
        doing: `Installing ${name}`,
        long: 'pip, about a minute the first time',
      });
      writeFileSync(mark, wanted);
    }
    return join(home, 'bin');
  });
