import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { installPackage } from './npm-package.mjs';
import { ROOT, stateDir } from './paths.mjs';

/** @type {typeof import('./other-node.mjs').imagesNode} */
export const imagesNode = () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const [, version] = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(dockerfile) ?? [];
  if (version === undefined)
    throw new Error('the tag of the Node image must contain an exact version of Node');
  return version;
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
    await installPackage(home, `node@${version}`);
    // Runs the install script of the npm package `node`, which downloads Node for this machine. npm
    // itself may be configured to run no install scripts.
    const script = ['installArchSpecificPackage.js'];
    const { code, output } = await run(process.execPath, script, { cwd: folder });
    if (code !== 0) throw new Failure('npm could not fetch another Node.', lastLines(output));
    writeFileSync(mark, '');
    return program;
  });

/** @type {typeof import('./other-node.mjs').ensureImagesNode} */
export const ensureImagesNode = () => {
  const version = imagesNode();
  const isOwnFit = Number.parseInt(process.versions.node, 10) === Number.parseInt(version, 10);
  return isOwnFit ? Promise.resolve(process.execPath) : ensureNode(version);
};
