import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { STATE } from './paths.mjs';
import { step } from './say.mjs';

const WANTED = 'schemathesis==4.32.5';
const HOME = join(STATE, 'schemathesis');
const MARK = join(HOME, 'version.txt');

const checkPython = () => {
  const question = 'import sys; print(sys.version_info >= (3, 10))';
  const { status, stdout } = spawnSync('python3', ['-c', question], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() !== 'True') {
    throw new Failure('Python was not found or is too old: install Python 3.10, then try again.');
  }
};

const install = async () => {
  checkPython();
  rmSync(HOME, { recursive: true, force: true });
  const made = await run('python3', ['-m', 'venv', HOME]);
  if (made.code !== 0) {
    throw new Failure(
      'Python could not make a virtual environment: install its module venv (python3-venv).',
      lastLines(made.output),
    );
  }
  const flags = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', WANTED];
  const added = await run(join(HOME, 'bin', 'python'), flags);
  if (added.code !== 0) {
    throw new Failure(
      'pip could not fetch schemathesis: check the network and the settings of pip, then try again.',
      lastLines(added.output),
    );
  }
  writeFileSync(MARK, WANTED);
};

/** Installs the fuzzer into `.state` once; answers its program. */
export const ensureSchemathesis = () =>
  withLock('schemathesis', async () => {
    if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== WANTED) {
      await step('Schemathesis installed', install, {
        doing: 'Installing schemathesis', long: 'pip, about a minute the first time',
      });
    }
    return join(HOME, 'bin', 'schemathesis');
  });
