import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runCompiled } from '../infra/compiled.mjs';
import { giveToOwner, migrateAsOwner } from '../infra/owned-database.mjs';
import { stateDir } from '../infra/paths.mjs';
import { DATABASE_ROLES, roleUrl } from '../infra/roles.mjs';

export const PLATFORM = 'demo';
export const MERCHANT = 'merchant-7';

/** Migrates the databases to the schema that the programs expect. */
export const migrate = async (env) => {
  await giveToOwner('fulfilment', env.FULFILMENT_DATABASE_URL);
  await giveToOwner('orchestrator', env.DATABASE_URL);
  await migrateAsOwner('orchestrator', env.DATABASE_URL);
  await giveToOwner('sandbox', env.SANDBOX_DATABASE_URL);
  await migrateAsOwner('sandbox', env.SANDBOX_DATABASE_URL);
};

/** Runs a command-line tool with the rights that it has in production. */
const runOps = (name, args, env) => {
  const url = roleUrl(env.DATABASE_URL, DATABASE_ROLES.orchestrator.apps.ops);
  return runCompiled(name, args, { ...env, DATABASE_URL: url });
};

const keyFile = () => join(stateDir('demo'), 'api-key.txt');

/** The maximum number of valid API keys of a platform. */
const MAX_KEYS = 2;

/** The platform's valid API keys in the database, the oldest first. */
const liveKeys = async (env) => {
  const listed = await runOps('keys', ['list', '--platform', PLATFORM], env);
  return listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter(({ revokedAt }) => revokedAt === null)
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
};

/**
 * The API key of the demo's platform. A new key is created when the stored key is missing, or is
 * not in the database because the database was deleted.
 */
export const platformKey = async (env) => {
  const live = await liveKeys(env);
  const kept = existsSync(keyFile()) ? readFileSync(keyFile(), 'utf8') : null;
  if (kept !== null && live.some(({ prefix }) => kept.startsWith(prefix))) return kept;
  const [oldest] = live;
  if (live.length >= MAX_KEYS) {
    const args = ['revoke', '--prefix', oldest.prefix, '--reason', 'the demo lost it'];
    await runOps('keys', args, env);
  }
  const args = ['create', '--platform', PLATFORM, '--scopes', 'all', '--reason', 'for the demo'];
  const made = await runOps('keys', args, env);
  const key = made.split('\n').at(-1) ?? '';
  writeFileSync(keyFile(), key, { mode: 0o600 });
  return key;
};

/**
 * The console's users. Two are admins, because another admin must approve what one admin requests.
 */
const CONSOLE_USERS = [
  ['olivia', 'admin'],
  ['oscar', 'admin'],
];

/**
 * Returns the one-time password in the output of the tool, which prints the password only once.
 * @param {string} printed
 */
const passwordIn = (printed) => /one-time password: (\S+)/.exec(printed)?.[1] ?? null;

/**
 * The time in milliseconds after which the demo replaces a one-time password. It is six days,
 * because a one-time password expires after seven days.
 */
const PASSWORD_KEPT_MS = 6 * 86_400_000;

const passwordFile = () => join(stateDir('demo'), 'console-passwords.json');

/** The one-time passwords of earlier starts that are still valid, by the user's name. */
const keptPasswords = () => {
  const kept = existsSync(passwordFile()) ? JSON.parse(readFileSync(passwordFile(), 'utf8')) : {};
  const isValid = ([, { createdMs }]) => Date.now() < createdMs + PASSWORD_KEPT_MS;
  return Object.fromEntries(Object.entries(kept).filter(isValid));
};

/**
 * The console's users, which the first start creates. `password` is null for a user who has already
 * chosen a new password. The one-time passwords are stored with the demo's data, so that a restart
 * does not change them.
 * @returns {Promise<{ name: string, role: string, password: string | null }[]>}
 */
export const consoleUsers = async (env) => {
  const listed = await runOps('ops', ['users'], env);
  const known = listed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const kept = keptPasswords();
  const users = [];
  for (const [name, role] of CONSOLE_USERS) {
    const user = known.find((one) => one.name === name);
    if (user?.mustChangePassword === false) {
      users.push({ name, role, password: null });
      continue;
    }
    if (user === undefined || kept[name] === undefined) {
      const args =
        user === undefined
          ? ['users', 'create', name, '--role', role]
          : ['users', 'reset-password', name];
      const printed = await runOps('ops', [...args, '--reason', 'for the demo'], env);
      kept[name] = { password: passwordIn(printed), createdMs: Date.now() };
    }
    users.push({ name, role, password: kept[name].password });
  }
  writeFileSync(passwordFile(), JSON.stringify(kept), { mode: 0o600 });
  return users;
};
