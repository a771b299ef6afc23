import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { answers, lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { stateDir } from './paths.mjs';
import { step } from './say.mjs';

const PROGRAMS = ['prometheus', 'promtool'];

/**
 * Unpacks the Debian package of Prometheus without installing it, because an installed Prometheus
 * would start as a service. Only the first update of apt's package lists needs root.
 * @param {string} home
 */
const unpack = async (home) => {
  rmSync(home, { recursive: true, force: true });
  stateDir('prometheus');
  const download = () => run('apt-get', ['download', 'prometheus'], { cwd: home });
  let { code, output } = await download();
  if (code !== 0 && process.getuid?.() === 0) {
    await run('apt-get', ['update']);
    ({ code, output } = await download());
  }
  const file = readdirSync(home).find((name) => name.endsWith('.deb'));
  if (code !== 0 || file === undefined) {
    throw new Failure(
      'Prometheus could not be fetched: install it, with promtool, and try again.',
      lastLines(output),
    );
  }
  const unpacked = await run('dpkg', ['-x', file, '.'], { cwd: home });
  if (unpacked.code !== 0) {
    throw new Failure('Prometheus could not be unpacked.', lastLines(unpacked.output));
  }
  rmSync(join(home, file));
};

/** @type {typeof import('./prometheus.mjs').ensurePrometheus} */
export const ensurePrometheus = () =>
  withLock('prometheus', async () => {
    if (PROGRAMS.every((name) => answers(name, ['--version']))) {
      const [prometheus, promtool] = PROGRAMS;
      return { prometheus, promtool };
    }
    if (!answers('apt-get', ['--version'])) {
      throw new Failure('Prometheus was not found: install it, with promtool, and try again.');
    }
    const home = stateDir('prometheus');
    const mark = join(home, 'complete');
    if (!existsSync(mark)) {
      await step('Prometheus unpacked', () => unpack(home), {
        doing: 'Fetching Prometheus',
        long: '19 MB by apt-get, the first time only',
      });
      writeFileSync(mark, '');
    }
    const [prometheus, promtool] = PROGRAMS.map((name) => join(home, 'usr', 'bin', name));
    return { prometheus, promtool };
  });
