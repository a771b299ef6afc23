import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCompiled } from '../infra/compiled.mjs';
import { stateDir } from '../infra/paths.mjs';

export const PLATFORM = 'demo';
export const MERCHANT = 'merchant-7';

/** Brings both databases to the state that the programs expect. */
export const migrate = async (env) => {
  await runCompiled('migrate', ['orchestrator'], env);
  await runCompiled('migrate', ['sandbox'], env);
};

const keyFile = () => join(stateDir('demo'), 'api-key.txt');

/** Whether the database still knows the kept key: it may have been deleted since. */
const isKnown = async (key, env) => {
  const listed = await runCompiled('keys', ['list', '--platform', PLATFORM], env);
  const rows = listed.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  return rows.some(({ prefix, revokedAt }) => key.startsWith(prefix) && revokedAt === null);
};

/** The demo platform's API key, made once. @returns {Promise<string>} */
export const platformKey = async (env) => {
  if (existsSync(keyFile())) {
    const kept = readFileSync(keyFile(), 'utf8');
    if (await isKnown(kept, env)) return kept;
  }
  const made = await runCompiled('keys', ['create', '--platform', PLATFORM, '--scopes', 'all'], env);
  const key = made.split('\n').at(-1) ?? '';
  writeFileSync(keyFile(), key, { mode: 0o600 });
  return key;
};
