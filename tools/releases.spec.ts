import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Release {
  readonly version: string;
  /** The last commit of the release. The entry in releases.json is added by the next commit. */
  readonly commit: string;
  readonly date: string;
}

const releases = JSON.parse(textOf('releases.json')) as readonly Release[];
const { version } = JSON.parse(textOf('package.json')) as { readonly version: string };

test('every workspace and client has the version of the newest release', () => {
  expect(releases.at(-1)?.version).toBe(version);
  for (const folder of [
    'packages/client-ts',
    'packages/subscriber',
    'examples/fulfilment',
    'docs-site',
    'apps/sandbox',
  ]) {
    const workspace = JSON.parse(textOf(`${folder}/package.json`)) as object;
    expect([folder, workspace]).toEqual([folder, expect.objectContaining({ version })]);
  }
  expect(textOf('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
});

test('each release in releases.json has a commit, and CHANGELOG.md lists the release with its date', () => {
  for (const release of releases) {
    expect(release).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
    expect(textOf('CHANGELOG.md')).toContain(`\n## ${release.version} - ${release.date}\n`);
  }
});

test('the commit of each release is in the Git history, if the checkout has the whole history', () => {
  const git = (...args: readonly string[]): string | undefined => {
    const ran = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
    return ran.status === 0 ? ran.stdout.trim() : undefined;
  };
  if (git('rev-parse', '--is-shallow-repository') !== 'false') return;
  for (const { commit } of releases) {
    expect([commit, git('merge-base', '--is-ancestor', commit, 'HEAD')]).toEqual([commit, '']);
  }
});
