import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '#testing';
import { freePort } from './infra/processes.mjs';

const SANDBOX = fileURLToPath(new URL('sandbox.mjs', import.meta.url));

const refusal = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [SANDBOX, ...args], { env }, (error, _stdout, stderr) =>
      resolve(`${error?.code} ${stderr.trim()}`),
    );
  });

test('npm run sandbox reports an unknown argument by name and starts no program', async () => {
  const said = await refusal(['--rest'], { PATH: '' });
  expect(said).toContain("1 Unknown option '--rest'.");
  expect(said).toContain('The sandbox accepts --reset and --forward <url>.');
});

test('npm run sandbox forwards webhooks to an http address of this machine only', async () => {
  const env = { ...process.env, SANDBOX_DATABASE_URL: 'postgres://absent@127.0.0.1:9/none' };
  expect(await refusal(['--forward', 'http://10.0.0.7/hook'], env)).toContain(
    "1 SANDBOX_FORWARD_URL must be an http URL of this machine, e.g. http://127.0.0.1:3000/hook, not 'http://10.0.0.7/hook'",
  );
});

test("npm run sandbox refuses to delete data in the user's own database", async () => {
  const env = { ...process.env, SANDBOX_DATABASE_URL: 'postgres://absent@127.0.0.1:9/none' };
  expect(await refusal(['--reset'], env)).toContain(
    '1 --reset deletes data of the embedded database only',
  );
});

test('npm run sandbox starts the provider on a new database, and ends on SIGTERM', async () => {
  const database = await createDatabase();
  const port = await freePort();
  const env = {
    ...process.env,
    SANDBOX_DATABASE_URL: database.url,
    SANDBOX_PORT: String(port),
    PARTNER_TEST_KEY: 'spart_test_oursalone0123456789',
  };
  const forward = 'http://127.0.0.1:3000/hook';
  const tool = spawn(process.execPath, [SANDBOX, '--forward', forward], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(tool, 'exit');
  let said = '';
  await new Promise<void>((resolve) => {
    tool.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ctrl-C ends it')) resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  expect(said).toContain(`${url}/api/partners`);
  expect(said).toMatch(/Forwards to +http:\/\/127\.0\.0\.1:3000\/hook/);
  expect(said).toMatch(/signed with +[0-9a-f]{64}\n/);
  const authorization = `Basic ${btoa('spart_test_oursalone0123456789:')}`;
  expect((await fetch(`${url}/api/partners/language`, { headers: { authorization } })).status).toBe(
    200,
  );
  tool.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  await expect(fetch(`${url}/v2/ping`)).rejects.toThrow('fetch failed');
  await database.drop();
});
