import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/infra/paths.mjs';
import { linkTree } from './link-tree.js';

interface Installed {
  readonly version?: string;
  readonly dev?: boolean;
  /** Whether it is a workspace; `resolved` is its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
}

const packagesHere = (): readonly (readonly [path: string, name: string])[] => {
  const list = readFileSync(join(ROOT, 'node_modules', '.package-lock.json'), 'utf8');
  const packages = (JSON.parse(list) as { packages: Readonly<Record<string, Installed>> }).packages;
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith('node_modules/') && dev !== true)
    .map(([path, { link, resolved = '', version }]) => {
      const name = path.split('node_modules/').at(-1) ?? '';
      return [path, `${name} ${link === true ? packages[resolved]?.version : version}`] as const;
    });
};

/**
 * Does what an `npm ci` does. npm checks the folder's manifests and plans its packages; their files
 * are then linked from the checkout. To unpack them again took 20 CPU seconds.
 */
export const installPackages = (command: string, folder: string): void => {
  const said = execFileSync('sh', ['-c', `${command} --dry-run`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const planned = new Set([...said.matchAll(/^add (.+)$/gm)].map(([, name]) => name));
  const chosen = packagesHere().filter(([, name]) => planned.has(name));
  for (const [path, name] of chosen) {
    linkTree(join(ROOT, path), join(folder, path), ['node_modules']);
    planned.delete(name);
  }
  const missing = [...planned].join();
  if (chosen.length === 0 || missing !== '')
    throw new Error(`not installed here: ${missing}\n${said}`);
};
