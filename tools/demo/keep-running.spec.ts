import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitFor } from '#testing';
import { type RunningApp, startApp } from '../infra/apps.mjs';
import { scratchDir } from '../infra/processes.mjs';
import { keepRunning } from './keep-running.mjs';

const checkout = scratchDir(mkdtempSync(join(tmpdir(), 'checkout-')));
const broken = join(checkout, 'broken');
const folder = join(checkout, 'dist', 'apps', 'admin');

/** An app that is ready immediately, or, while the file `broken` exists, ends with exit code 3. */
const PROGRAM = `
  if (require('node:fs').existsSync(process.env.BROKEN)) {
    console.error('ADMIN_PORT is wrong');
    process.exit(3);
  }
  require('node:http').createServer((_, answer) => answer.end()).listen(process.env.ADMIN_PORT);
`;

let app: RunningApp;
const printed: string[] = [];
let end: Promise<unknown>;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.js'), PROGRAM);
  const port = await freePort();
  const env = { ADMIN_PORT: String(port), BROKEN: broken };
  const logFile = join(checkout, 'admin.log');
  app = await startApp({ app: 'admin', checkout, port, env, logFile });
  end = keepRunning(app, (line) => printed.push(line)).catch((error: unknown) => error);
});

test('the demo starts an app again that was killed, and says which one and how it ended', async () => {
  const killed = app.pid;
  await app.kill9();
  await waitFor(() => printed.length === 2);
  expect(printed.join('\n')).toContain(
    'The app admin ended by itself (SIGKILL) and is started again …',
  );
  expect(printed[1]).toContain('The app admin runs again.');
  expect([app.isRunning(), app.pid === killed]).toEqual([true, false]);
});

test('the demo ends when an app fails three times in a row, and shows its log and what to do', async () => {
  writeFileSync(broken, '');
  await app.kill9();
  const failure = (await end) as Error & { readonly details: string };
  expect(failure.message).toBe(
    'The app admin ended 3 times in a row (exit code 3): fix what the end of its log above shows ' +
      `(${app.logFile}), then run \`npm run demo\` again.`,
  );
  expect(failure.details).toContain('ADMIN_PORT is wrong');
  expect(app.isRunning()).toBe(false);
});
