import { join } from 'node:path';

import { run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { ensureImagesNode } from './other-node.mjs';
import { ROOT } from './paths.mjs';
import { say, step } from './say.mjs';
import { JEST } from './specs/jest.mjs';

/**
 * The paths of specs that need no server. New specs in these folders are included automatically.
 */
const UNIT_SPECS = [
  'libs/kernel/',
  'libs/sagas/',
  '/domain/',
  'libs/testing/scenario',
  'packages/',
];

/** Whether all specs below a path need no server. @param {string} path */
export const isUnitPath = (path) => UNIT_SPECS.some((part) => `/${path}/`.includes(part));

/** @param {string} path below node_modules @param {readonly string[]} args */
const script = (path, ...args) => [join(ROOT, 'node_modules', path), ...args];

const FOLDERS = ['apps', 'libs', 'packages', 'examples', 'migrations', 'test', 'tools', 'bench'];

/**
 * The checks, each with the programs that it runs one after another.
 * @typedef {{ title: string, runs: readonly (readonly string[])[], isShown?: boolean, node?: () => Promise<string> }} Check
 * @type {Readonly<Record<string, Check>>}
 */
const CHECKS = {
  // First, because it takes longest.
  docs: { title: 'Documentation site', runs: [[join(ROOT, 'tools', 'docs.mjs')]] },
  types: {
    title: 'Types',
    runs: [
      script(
        'typescript-native/bin/tsc',
        '--noEmit',
        '--incremental',
        'false',
        '-p',
        'tsconfig.json',
      ),
    ],
  },
  console: {
    title: 'Types of the console',
    runs: [[join(ROOT, 'tools', 'console.mjs'), 'types']],
  },
  format: { title: 'Format', runs: [script('oxfmt/bin/oxfmt', '--check', '.')] },
  lint: { title: 'Lint', runs: [script('oxlint/bin/oxlint', '--quiet')] },
  boundaries: {
    title: 'Boundaries',
    runs: [
      script(
        'dependency-cruiser/bin/dependency-cruise.mjs',
        '--config',
        '.dependency-cruiser.cjs',
        ...FOLDERS,
      ),
      [join(ROOT, 'tools', 'infra', 'folder-circles.mjs')],
    ],
  },
  walks: {
    title: 'Paths through the code',
    isShown: true,
    runs: [[join(ROOT, 'tools', 'infra', 'walks.mjs')]],
  },
  lock: { title: 'Lock file', runs: [[join(ROOT, 'tools', 'complete-lock.mjs'), '--check']] },
  unused: { title: 'Unused code', runs: [script('knip/bin/knip.js', '--no-config-hints')] },
  links: { title: 'Links', runs: [[join(ROOT, 'tools', 'infra', 'links.mjs')]] },
  words: { title: 'Words', runs: [[join(ROOT, 'tools', 'infra', 'words.mjs')]] },
  unit: {
    title: 'Unit tests',
    node: ensureImagesNode,
    runs: [[...JEST, '--maxWorkers=2', `--testPathPatterns=${UNIT_SPECS.join('|')}`]],
  },
};

export const CHECK_NAMES = Object.keys(CHECKS);

/**
 * @param {string} name
 * @returns {Promise<string>} the output of a failed check; empty if the check passes
 */
const complaintOf = async (name) => {
  const { title, runs, isShown = false, node = () => process.execPath } = CHECKS[name];
  let complaint = '';
  let shown = '';
  const work = async () => {
    for (const args of runs) {
      const { code, output } = await run(await node(), args, { cwd: ROOT });
      if (isShown) shown += output;
      if (code !== 0) {
        complaint = `${title}\n${output.trim()}`;
        throw new Failure(title);
      }
    }
  };
  await step(title, work).catch((error) => {
    if (complaint === '') throw error;
  });
  if (complaint === '' && shown !== '') say(shown.trimEnd());
  return complaint;
};

/**
 * Runs checks, two at a time. All checks run even if one of them fails.
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
    throw new Failure('The checks failed: fix what is shown above.', complaints.join('\n\n'));
  }
};
