import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from '../infra/commands.mjs';
import { Failure } from '../infra/failure.mjs';
import { ROOT, stateDir } from '../infra/paths.mjs';
import { step } from '../infra/say.mjs';

/** @typedef {{ version: string, commit: string }} Release */

/** @returns {Release} the newest entry of releases.json */
export const lastRelease = () =>
  JSON.parse(readFileSync(join(ROOT, 'releases.json'), 'utf8')).at(-1);

/** @param {string} folder @param {string} command @param {readonly string[]} args */
const runIn = async (folder, command, args) => {
  const { code, output } = await run(command, args, { cwd: folder });
  if (code !== 0) {
    throw new Failure(`\`${command} ${args.join(' ')}\` failed in ${folder}.`, lastLines(output));
  }
};

/** @param {Release} release @param {string} folder */
const build = async ({ version, commit }, folder) => {
  const archive = join(folder, 'release.tar');
  const { code } = await run('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  if (code !== 0) {
    throw new Failure(
      `The commit of release ${version} is missing in this clone: ` +
        'run `git fetch --unshallow`, then try again.',
      commit,
    );
  }
  await runIn(folder, 'tar', ['-xf', archive]);
  rmSync(archive);
  await runIn(folder, 'npm', ['ci', '--no-audit', '--no-fund']);
  await runIn(folder, 'npm', ['run', 'build']);
};

/**
 * Builds a release from the Git history with the release's own packages, unless an earlier run has
 * built the release.
 * @param {Release} release
 * @returns {Promise<string>} the root of its checkout, below `.state`
 */
export const ensureRelease = async (release) => {
  const folder = join(stateDir('releases'), release.commit);
  const complete = join(folder, '.complete');
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  stateDir('releases', release.commit);
  await step(`Release ${release.version} built`, () => build(release, folder), {
    doing: `Building release ${release.version}`,
    long: 'npm ci and a build, about a minute the first time',
  });
  writeFileSync(complete, '');
  return folder;
};
