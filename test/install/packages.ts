import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/infra/paths.mjs';
import { linkTree } from './link-tree.js';

interface Installed {
  readonly version?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  /** Whether the package is a workspace; `resolved` is the workspace's folder. */
  readonly link?: boolean;
  readonly resolved?: string;
}

interface PackageHere {
  readonly path: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly hasInstallScript: boolean;
}

const packagesHere = (): readonly PackageHere[] => {
  const list = readFileSync(join(ROOT, 'node_modules', '.package-lock.json'), 'utf8');
  const packages = (JSON.parse(list) as { packages: Readonly<Record<string, Installed>> }).packages;
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith('node_modules/') && dev !== true)
    .map(([path, { link, resolved = '', version, hasInstallScript = false }]) => ({
      path,
      name: path.split('node_modules/').at(-1) ?? '',
      version: link === true ? packages[resolved]?.version : version,
      hasInstallScript,
    }));
};

/** Packages that work without their install script. */
const NEEDS_NO_SCRIPT: readonly string[] = ['@scarf/scarf'];

/**
 * Does what `npm ci` does. npm checks the folder's manifests and lists the packages, whose files
 * are then linked from the checkout, because unpacking them took 20 CPU seconds.
 */
export const installPackages = (command: string, folder: string): void => {
  const said = execFileSync('sh', ['-c', `${command} --dry-run`], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  const planned = new Set([...said.matchAll(/^add (.+)$/gm)].map(([, name]) => name));
  const chosen = packagesHere().filter(({ name, version }) => planned.has(`${name} ${version}`));
  for (const { path, name, version, hasInstallScript } of chosen) {
    // The install script may have changed the package's files in the checkout, from which they are
    // linked; in the image the script does not run.
    if (hasInstallScript && !NEEDS_NO_SCRIPT.includes(name)) {
      throw new Error(`${name} has an install script: show that it works without, then list it`);
    }
    linkTree(join(ROOT, path), join(folder, path), ['node_modules']);
    planned.delete(`${name} ${version}`);
  }
  const missing = [...planned].join();
  if (chosen.length === 0 || missing !== '')
    throw new Error(`not installed here: ${missing}\n${said}`);
};
