import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createDatabase, freePort, startProcess, type TestDatabase } from '#testing';
import { programFile } from '../../tools/infra/programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runFile = promisify(execFile);

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  env = {
    DATABASE_URL: database.urlFor('api'),
    SECRETS_KEY: `k1:${randomBytes(32).toString('base64')}`,
    PROVIDER_URL: 'http://127.0.0.1:9',
    TLS_CERT_FILE: '',
    CLOCK_URL: '',
    API_INTERNAL_PORT: '0',
    LOG_LEVEL: 'info',
  };
});

afterAll(() => database.drop());

const tool = async (name: string, ...args: readonly string[]): Promise<string> => {
  const ops = { DATABASE_URL: database.urlFor('ops') };
  const options = { cwd: root, env: { ...process.env, ...env, ...ops } };
  const { stdout } = await runFile(process.execPath, [programFile(name), ...args], options);
  return stdout.trim();
};

const keysTool = (...args: readonly string[]): Promise<string> => tool('keys', ...args);

test('the API starts as a process, accepts a newly created key, and shuts down without an error', async () => {
  const port = await freePort();
  const api = await startProcess({ app: 'api', port, env: { ...env, API_PORT: String(port) } });
  const ready = await fetch(`${api.url}/health/ready`);
  expect(await ready.json()).toMatchObject({
    status: 'up',
    checks: { postgres: { status: 'up' } },
  });

  const key = await keysTool(
    'create',
    '--platform',
    'p1',
    '--scopes',
    'orders:read',
    '--reason',
    'for a spec',
  );
  expect(key).toMatch(/^po_\w{12}_\w{32}$/);
  const list = (): Promise<Response> =>
    fetch(`${api.url}/v1/orders`, { headers: { authorization: `Bearer ${key}` } });
  expect((await list()).status).toBe(200);
  expect(JSON.parse(await keysTool('list', '--platform', 'p1'))).toMatchObject({
    platformId: 'p1',
    scopes: ['orders:read'],
    revokedAt: null,
  });
  const prefix = key.slice(0, 15);
  const revoked = await keysTool('revoke', '--prefix', prefix, '--reason', 'it is over');
  expect(revoked).toContain(`revoked ${prefix}`);

  const lines = api.logTail(100);
  expect(lines).toContain('"route":"/v1/orders"');
  expect(lines).not.toContain(key);
  await api.stop();
  expect(await api.exited()).toMatchObject({ code: 0 });
});

test('a command-line tool without a required option exits with an error that names the option', async () => {
  await expect(tool('relay', 'republish', 'order')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--reason is missing\n/),
  });
});

test('an action of a command-line tool is audited with its actor and reason', async () => {
  const rebuild = ['projections', 'rebuild', 'order_list'] as const;
  await tool(...rebuild, '--reason', 'wrong totals');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT action, actor ~ '^ops:[0-9a-f]{12}$' AS "isHash", reason, detail FROM audit
      WHERE subject_type = 'projection' ORDER BY id`,
  );
  await client.end();
  const row = { isHash: true, reason: 'wrong totals' };
  expect(rows).toEqual([
    { ...row, action: 'ops.projections_rebuild_requested', detail: {} },
    { ...row, action: 'ops.projections_rebuild_done', detail: { outcome: { events: 0 } } },
  ]);
});

test('the API does not start on an event log that was restored from another server', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`UPDATE log_identity SET system_identifier = '1'`);
  const options = { cwd: root, env: { ...process.env, ...env, API_PORT: '0' } };
  await expect(runFile(process.execPath, [programFile('api')], options)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('npm run log:rebase'),
  });
  await client.end();
});
