/**
 * `node tools/complete-lock.mjs [--check]` completes package-lock.json. npm omits optional packages
 * for other platforms from the file if the registry in use does not have them, and `npm ci` then
 * rejects the file. This tool adds the omitted packages; `--check` only reports them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './infra/failure.mjs';
import { runTool } from './infra/main.mjs';
import { ROOT } from './infra/paths.mjs';
import { say } from './infra/say.mjs';

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The platform that a package supports, derived from the package's name. @param {string} name */
const platformOf = (name) => {
  const os = SYSTEMS.find((system) => name.includes(system));
  const cpu = PROCESSORS.find((processor) => new RegExp(`[-/]${processor}(-|$)`).test(name));
  if (os === undefined || cpu === undefined) return undefined;
  const libc = name.endsWith('-musl') ? 'musl' : name.endsWith('-gnu') ? 'glibc' : undefined;
  return { cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }), os: [os] };
};

/**
 * Whether a package at `path` finds the dependency in its own `node_modules` or in that of a parent
 * folder.
 * @param {Record<string, any>} packages
 * @param {string} path
 * @param {string} name
 */
const isFound = (packages, path, name) => {
  const folders = path.split('/node_modules/');
  return folders.some((_, index) => {
    const above = folders.slice(0, folders.length - index).join('/node_modules/');
    return `${above}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
  });
};

/** @param {Record<string, any>} packages */
const missingIn = (packages) => {
  const missing = new Map();
  for (const [path, { optionalDependencies = {}, dev, devOptional }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      const isExact = /^\d+\.\d+\.\d+/.test(version);
      if (platform === undefined || !isExact || isFound(packages, path, name)) continue;
      const isDev = dev === true || devOptional === true;
      missing.set(`node_modules/${name}`, {
        version,
        ...platform,
        ...(isDev ? { dev: true } : {}),
        optional: true,
      });
    }
  }
  return missing;
};

await runTool(async () => {
  const file = join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingIn(lock.packages);
  say(`${missing.size} packages for other platforms are missing in package-lock.json`);
  if (missing.size === 0) return 0;
  if (process.argv.includes('--check')) {
    throw new Failure('Run `node tools/complete-lock.mjs`, then commit package-lock.json.');
  }
  const entries = [...Object.entries(lock.packages), ...missing];
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  return 0;
});
