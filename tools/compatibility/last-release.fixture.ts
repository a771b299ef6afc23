import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import type { Channels, Published } from './asyncapi.js';
import type { Contract } from './openapi.js';
import type { Schema } from './schema.js';

const OPENAPI = 'docs/generated/openapi.api.json';
const ASYNCAPI = 'docs/generated/asyncapi.yaml';
const SCHEMAS = 'docs/generated/schemas';

/** The documents of a version on which clients depend. */
export interface Documents {
  readonly version: string;
  readonly openapi: Contract;
  readonly asyncapi: Published;
}

const documentsOf = (
  version: string,
  read: (path: string) => string,
  files: readonly string[],
): Documents => ({
  version,
  openapi: JSON.parse(read(OPENAPI)) as Contract,
  asyncapi: {
    document: parse(read(ASYNCAPI)) as Channels,
    schemas: Object.fromEntries(
      files.map((file) => [file, JSON.parse(read(`${SCHEMAS}/${file}`)) as Schema]),
    ),
  },
});

const text = (path: string): string => readFileSync(path, 'utf8');

export const current = (): Documents => {
  const { version } = JSON.parse(text('package.json')) as { readonly version: string };
  return documentsOf(version, text, readdirSync(SCHEMAS));
};

/** The documents of the last release, from the Git history. Throws if its commit is missing. */
export const lastRelease = (): Documents => {
  const [last] = (
    JSON.parse(text('releases.json')) as readonly { version: string; commit: string }[]
  ).slice(-1);
  if (!last) throw new Error('releases.json has no release');
  const git = (...args: readonly string[]): string => {
    const ran = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 });
    if (ran.status === 0) return ran.stdout;
    throw new Error(
      `The commit ${last.commit} of release ${last.version} is missing in this clone: run ` +
        '`git fetch --unshallow` (in CI: check out with `fetch-depth: 0`), then try again. ' +
        `Git reports: ${ran.stderr}`,
    );
  };
  const files = git('ls-tree', '--name-only', last.commit, `${SCHEMAS}/`).trim().split('\n');
  const read = (path: string): string => git('show', `${last.commit}:${path}`);
  return documentsOf(
    last.version,
    read,
    files.map((file) => basename(file)),
  );
};
