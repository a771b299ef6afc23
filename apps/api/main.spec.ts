import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createDatabase, freePort, startProcess, type TestDatabase, waitFor } from '#testing';

const root = fileURLToPath(new URL('../..', import.meta.url));
const runFile = promisify(execFile);

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  env = {
    DATABASE_URL: database.url,
    SECRETS_KEY: `k1:${randomBytes(32).toString('base64')}`,
    PROVIDER_URL: 'http://127.0.0.1:9',
    TLS_CERT_FILE: '',
    CLOCK_URL: '',
    LOG_LEVEL: 'info',
  };
});

afterAll(() => database.drop());

const keysTool = async (...args: readonly string[]): Promise<string> => {
  const options = { cwd: root, env: { ...process.env, ...env } };
  const { stdout } = await runFile(process.execPath, ['dist/tools/keys.js', ...args], options);
  return stdout.trim();
};

test('the api runs as a process, takes a key just made, and ends in order', async () => {
  const port = await freePort();
  const api = await startProcess({ app: 'api', port, env: { ...env, API_PORT: String(port) } });
  const ready = await fetch(`${api.url}/health/ready`);
  expect(await ready.json()).toMatchObject({ status: 'up', checks: { postgres: { status: 'up' } } });

  const key = await keysTool('create', '--platform', 'p1', '--scopes', 'orders:read');
  expect(key).toMatch(/^po_\w{12}_\w{32}$/);
  const list = (): Promise<Response> =>
    fetch(`${api.url}/v1/orders`, { headers: { authorization: `Bearer ${key}` } });
  expect((await list()).status).toBe(200);
  expect(JSON.parse(await keysTool('list', '--platform', 'p1'))).toMatchObject({
    platformId: 'p1', scopes: ['orders:read'], revokedAt: null,
  });
  const prefix = key.slice(0, 15);
  expect(await keysTool('revoke', '--prefix', prefix)).toContain(`revoked ${prefix}`);

  const lines = api.logTail(100);
  expect(lines).toContain('"route":"/v1/orders"');
  expect(lines).not.toContain(key);
  await api.stop();
  expect(await api.exited()).toMatchObject({ code: 0 });
});

test.each([
  ['an unknown scope', ['create', '--platform', 'p', '--scopes', 'x'], 'scopes are orders:read'],
  ['no platform', ['create', '--scopes', 'all'], '--platform is missing'],
  ['no verb', [], 'npm run keys -- create'],
  ['no such key', ['revoke', '--prefix', 'po_x'], 'there is no live key'],
])('the keys tool says what to do: %s', async (_, args, message) => {
  await expect(keysTool(...args)).rejects.toMatchObject({
    code: 1, stderr: expect.stringContaining(message),
  });
});

test.each([
  ['SECRETS_KEY', { SECRETS_KEY: '' }, 'set the environment variable SECRETS_KEY'],
  ['a key of the right length', { SECRETS_KEY: 'k1:abcd' }, 'SECRETS_KEY must be'],
  ['a port that is one', { API_PORT: 'x' }, 'API_PORT must be a whole number'],
])('without %s it does not start, and says so', async (_, changes, message) => {
  const options = { cwd: root, env: { ...process.env, ...env, API_PORT: '0', ...changes } };
  await expect(runFile(process.execPath, ['dist/apps/api/main.js'], options)).rejects.toMatchObject({
    code: 1, stdout: expect.stringContaining(message),
  });
});

test('it ends when its parent is gone', async () => {
  const child = spawn(process.execPath, ['dist/apps/api/main.js'], {
    cwd: root,
    env: { ...process.env, ...env, API_PORT: '0', EXIT_WITH_PARENT: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await waitFor(() => lines.some((line) => line.includes('"listening"')));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stdin.end();
  expect(await exited).toBe(0);
});

test('it refuses a log that was restored from another server', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`UPDATE log_identity SET system_identifier = '1'`);
  const options = { cwd: root, env: { ...process.env, ...env, API_PORT: '0' } };
  await expect(runFile(process.execPath, ['dist/apps/api/main.js'], options)).rejects.toMatchObject({
    code: 1, stdout: expect.stringContaining('npm run log:rebase'),
  });
  await client.end();
});
