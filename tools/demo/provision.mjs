import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from '../infra/commands.mjs';
import { Failure } from '../infra/failure.mjs';
import { ROOT, stateDir } from '../infra/paths.mjs';

export const PLATFORM = 'demo';
export const MERCHANT = 'merchant-7';

/** Runs one of our compiled tools. @param {string} name @param {string[]} args */
const runTool = async (name, args, env) => {
  const main = join(ROOT, 'dist', 'tools', `${name}.js`);
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const { code, output } = await run(process.execPath, [main, ...args], options);
  if (code !== 0) {
    throw new Failure(`The tool '${name}' failed: read what it says above.`, lastLines(output));
  }
  return output.trim();
};

/** Brings both databases to the state that the programs expect. */
export const migrate = async (env) => {
  await runTool('migrate', ['orchestrator'], env);
  await runTool('migrate', ['sandbox'], env);
};

const keyFile = () => join(stateDir('demo'), 'api-key.txt');

/** Whether the database still knows the kept key: it may have been deleted since. */
const isKnown = async (key, env) => {
  const listed = await runTool('keys', ['list', '--platform', PLATFORM], env);
  const rows = listed.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  return rows.some(({ prefix, revokedAt }) => key.startsWith(prefix) && revokedAt === null);
};

/** The demo platform's API key, made once. @returns {Promise<string>} */
export const platformKey = async (env) => {
  if (existsSync(keyFile())) {
    const kept = readFileSync(keyFile(), 'utf8');
    if (await isKnown(kept, env)) return kept;
  }
  const made = await runTool('keys', ['create', '--platform', PLATFORM, '--scopes', 'all'], env);
  const key = made.split('\n').at(-1) ?? '';
  writeFileSync(keyFile(), key, { mode: 0o600 });
  return key;
};
