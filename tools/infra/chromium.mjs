import { accessSync, constants } from 'node:fs';

import { answers, lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { say, step, yellow } from './say.mjs';

/**
 * The paths at which Chromium may be installed. The first one is preferred: it opens a page with a
 * fifth of the CPU time of a complete browser with a hidden window.
 */
const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** The Debian packages to install. The second is tried only if the first cannot be installed. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** @param {string} path */
const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // The file is missing or not executable; the next candidate is tried.
  }
};

/**
 * The path of the browser in CHROMIUM_PATH, or else of an installed browser; undefined if there is
 * none.
 */
export const chromiumPath = () => {
  const named = process.env.CHROMIUM_PATH ?? '';
  return (named === '' ? CANDIDATES : [named]).find(isProgram);
};

const install = async () => {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  let { output } = await run('apt-get', ['update'], options);
  for (const browser of PACKAGES) {
    const packages = [browser, 'fonts-dejavu-core'];
    const flags = ['install', '-y', '--no-install-recommends'];
    const added = await run('apt-get', [...flags, ...packages], options);
    if (added.code === 0 && chromiumPath() !== undefined) return;
    output += added.output;
  }
  throw new Failure(
    'Chromium could not be installed: install it manually, or set CHROMIUM_PATH.',
    lastLines(output),
  );
};

/**
 * Finds Chromium, or installs it where this is allowed. Without a browser, the browser specs are
 * skipped with a notice, but in CI they fail.
 */
export const ensureChromium = async () => {
  if (chromiumPath() !== undefined) return;
  const isCi = process.env.CI === 'true';
  try {
    const isNamed = (process.env.CHROMIUM_PATH ?? '') !== '';
    if (isNamed || process.getuid?.() !== 0 || !answers('apt-get', ['--version'])) {
      throw new Failure('Chromium was not found: install it, or set CHROMIUM_PATH to a browser.');
    }
    await step('Chromium installed', install, {
      doing: 'Installing Chromium',
      long: 'apt-get, some minutes the first time',
    });
  } catch (error) {
    if (isCi || !(error instanceof Failure)) throw error;
    say(`  ${yellow('!')} ${error.message} Until then the browser specs are skipped.`);
  }
};
