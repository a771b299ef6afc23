import { readFileSync } from 'node:fs';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import pg from 'pg';
import { SECRETS_OF } from '../../tools/infra/app-environment.mjs';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';
import { type Stack, startStack } from '../../tools/stack/stack.js';
import { runnersServers } from '../support/servers.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({
    ...runnersServers(),
    name: 'access',
    shape: 'apart',
    console: true,
    fulfilment: true,
  });
}, 300_000);
afterAll(() => stack.stop());

const SECRETS = new Set(Object.values(SECRETS_OF).flat());

/** The environment of a running process, read from the operating system. */
const environmentOf = (pid: number | undefined): ReadonlyMap<string, string> => {
  assert(pid !== undefined, 'the process runs');
  const parts = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return new Map(
    parts.map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at), part.slice(at + 1)] as const;
    }),
  );
};

const processes = () => [...stack.apps, ...(stack.fulfilment === null ? [] : [stack.fulfilment])];

test('each process gets only the secrets that it needs', () => {
  for (const { app, pid } of processes()) {
    const names = [...environmentOf(pid).keys()].filter((name) => SECRETS.has(name));
    const own = SECRETS_OF[app] ?? [];
    expect([app, names.filter((name) => !own.includes(name))]).toEqual([app, []]);
    expect(names.length).toBeGreaterThan(1);
  }
});

test('sandbox and orchestrator cannot decrypt each other’s secrets', () => {
  const environments = processes().map(({ app, pid }) => ({ app, env: environmentOf(pid) }));
  const sandbox = environments.find(({ app }) => app === 'sandbox')?.env;
  const key = sandbox?.get('SANDBOX_SECRETS_KEY');
  assert(key !== undefined, 'the sandbox has a key');
  for (const { app, env } of environments) {
    if (app !== 'sandbox') expect([...env.values()]).not.toContain(key);
  }
});

test('no process knows the password of the PostgreSQL superuser', () => {
  const { password } = new URL(runnersServers().databaseUrl);
  for (const { app, pid } of processes()) {
    for (const [name, value] of environmentOf(pid)) {
      expect([app, name, value.includes(password)]).toEqual([app, name, false]);
    }
  }
});

test('each process connects to PostgreSQL with the role of its app', async () => {
  const client = new pg.Client({ connectionString: runnersServers().databaseUrl });
  await client.connect();
  try {
    const names = Object.values(stack.databases).map((url) => new URL(url ?? '').pathname.slice(1));
    const roles = async () => {
      const { rows } = await client.query<{ role: string }>(
        `SELECT DISTINCT usename AS role FROM pg_stat_activity
          WHERE datname = ANY ($1) AND backend_type = 'client backend' ORDER BY 1`,
        [names],
      );
      return rows.map(({ role }) => role);
    };
    const { api, worker, admin } = DATABASE_ROLES.orchestrator.apps;
    const expected = [
      DATABASE_ROLES.fulfilment.owner,
      admin,
      api,
      worker,
      DATABASE_ROLES.sandbox.apps.sandbox,
    ];
    await waitFor(async () => (await roles()).length === expected.length || undefined);
    expect(await roles()).toEqual([...expected].sort());
  } finally {
    await client.end();
  }
});
