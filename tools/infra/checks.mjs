import { join } from 'node:path';

import { run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { ROOT } from './paths.mjs';
import { step } from './say.mjs';

/** Specs that need no server: pure code. By their place, so that nobody has to list them. */
const UNIT_SPECS = ['libs/kernel/', 'libs/sagas/', '/domain/', 'libs/testing/scenario', 'packages/'];

/** @param {string} path below node_modules @param {readonly string[]} args */
const script = (path, ...args) => [join(ROOT, 'node_modules', path), ...args];

const FOLDERS = ['apps', 'libs', 'packages', 'examples', 'migrations', 'test', 'tools', 'bench'];

/** @type {Readonly<Record<string, { title: string, args: readonly string[] }>>} */
const CHECKS = {
  types: {
    title: 'Types',
    args: script('typescript/bin/tsc', '--noEmit', '--incremental', 'false', '-p', 'tsconfig.json'),
  },
  console: {
    title: 'Types of the console', args: [join(ROOT, 'tools', 'console.mjs'), 'types'],
  },
  lint: { title: 'Lint', args: script('oxlint/bin/oxlint', '--quiet') },
  boundaries: {
    title: 'Boundaries',
    args: script(
      'dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs',
      ...FOLDERS,
    ),
  },
  lock: { title: 'Lock file', args: [join(ROOT, 'tools', 'complete-lock.mjs'), '--check'] },
  unused: { title: 'Unused code', args: script('knip/bin/knip.js', '--no-config-hints') },
  unit: {
    title: 'Unit tests',
    args: [
      '--experimental-vm-modules', '--disable-warning=ExperimentalWarning',
      ...script('jest/bin/jest.js', '--maxWorkers=2', `--testPathPatterns=${UNIT_SPECS.join('|')}`),
    ],
  },
};

export const CHECK_NAMES = Object.keys(CHECKS);

/** @param {string} name @returns {Promise<string>} what it complains of; empty when it passes */
const complaintOf = async (name) => {
  const { title, args } = CHECKS[name];
  let complaint = '';
  const work = async () => {
    const { code, output } = await run(process.execPath, args, { cwd: ROOT });
    if (code !== 0) {
      complaint = `${title}\n${output.trim()}`;
      throw new Failure(title);
    }
  };
  await step(title, work).catch((error) => {
    if (complaint === '') throw error;
  });
  return complaint;
};

/**
 * Runs checks, two at a time, all of them even when one complains.
 * @param {readonly string[]} names
 */
export const runChecks = async (names) => {
  const waiting = [...names];
  /** @type {string[]} */
  const complaints = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const complaint = await complaintOf(name);
      if (complaint !== '') complaints.push(complaint);
    }
  };
  await Promise.all([worker(), worker()]);
  if (complaints.length > 0) {
    throw new Failure('The checks did not pass: mend what is shown above.', complaints.join('\n\n'));
  }
};
