import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { stateDir } from './paths.mjs';

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
const fetching = async (command, args, cwd) => {
  const { code, output } = await run(command, args, { cwd });
  if (code === 0) return;
  throw new Failure(
    'npm could not fetch another Node: check the network and the registry settings of npm.',
    lastLines(output),
  );
};

/** @type {typeof import('./other-node.mjs').ensureNode} */
export const ensureNode = (version) =>
  withLock(`node-${version}`, async () => {
    const home = stateDir('nodes', version);
    const folder = join(home, 'node_modules', 'node');
    const program = join(folder, 'bin', 'node');
    const mark = join(home, 'complete');
    if (existsSync(mark)) return program;
    rmSync(join(home, 'node_modules'), { recursive: true, force: true });
    const flags = ['--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts'];
    await fetching('npm', ['install', ...flags, `node@${version}`], home);
    // Runs the package's install script, which downloads Node for this machine, because npm may be
    // configured to run no install scripts.
    await fetching(process.execPath, ['installArchSpecificPackage.js'], folder);
    writeFileSync(mark, '');
    return program;
  });
