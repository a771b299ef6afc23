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

test('an argument that it does not know is named, and nothing is started', async () => {
  expect(await refusal(['--rest'], { PATH: '' })).toBe(
    "1 The sandbox does not know '--rest': it takes --reset, or nothing.",
  );
});

test("a database of the user's own is not emptied", async () => {
  const env = { ...process.env, SANDBOX_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  expect(await refusal(['--reset'], env)).toContain('1 --reset empties the embedded database only');
});

test('it starts the provider on a database of its own, and SIGTERM ends it', async () => {
  const database = await createDatabase();
  const port = await freePort();
  const env = {
    ...process.env,
    SANDBOX_DATABASE_URL: database.url,
    SANDBOX_PORT: String(port),
    PARTNER_TEST_KEY: 'spart_test_oursalone0123456789',
  };
  const tool = spawn(process.execPath, [SANDBOX], { env, stdio: ['ignore', 'pipe', 'inherit'] });
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
  const authorization = `Basic ${btoa('spart_test_oursalone0123456789:')}`;
  expect((await fetch(`${url}/api/partners/language`, { headers: { authorization } })).status).toBe(
    200,
  );
  tool.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  await expect(fetch(`${url}/v2/ping`)).rejects.toThrow('fetch failed');
  await database.drop();
}, 120_000);
