import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';

import { waitFor } from '#testing';
import { isPortFree, scratchDir, supervise, tailOf, waitReady } from './processes.mjs';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * A parent process that starts a child, creates a scratch folder, prints the child's id and the
 * folder, and then waits.
 */
const PARENT = `
  import { scratchDir, supervise } from '${new URL('processes.mjs', import.meta.url).href}';
  const dir = scratchDir(process.argv[1]);
  const child = supervise(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { name: 'c' });
  process.stdout.write(String(child.pid) + '\\n');
  setInterval(() => {}, 1000);
`;

test('when a process is killed, its children end and its scratch folder is deleted', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'processes-')), 'scratch');
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT, dir]);
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  expect(isAlive(pid)).toBe(true);
  expect(existsSync(dir)).toBe(true);
  parent.kill('SIGKILL');
  await waitFor(() => !isAlive(pid), { timeoutMs: 15_000 });
  await waitFor(() => !existsSync(dir), { timeoutMs: 15_000 });
});

test('a child that ignores SIGTERM is killed', async () => {
  const deaf = "process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)";
  const logFile = join(scratchDir(mkdtempSync(join(tmpdir(), 'processes-'))), 'deaf.log');
  const child = supervise(process.execPath, ['-e', deaf], {
    name: 'deaf',
    logFile,
    stopTimeoutMs: 200,
  });
  await waitFor(() => tailOf(logFile) === 'deaf');
  await child.stop();
  expect(child.isRunning()).toBe(false);
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL', isStopped: true });
});

test('`exited` rejects when the program does not exist, without an unhandled rejection', async () => {
  const child = supervise('/no/such/program', [], { name: 'nothing' });
  await expect(child.exited).rejects.toThrow('ENOENT');
  expect(child.isRunning()).toBe(false);
});

test('a port is free while no server listens on it', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});

test('`waitReady` waits while the server makes progress, and otherwise fails after the timeout', async () => {
  const server = supervise(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    name: 'slow',
  });
  const limits = { timeoutMs: 300, everyMs: 10 };
  const beganAt = Date.now();
  const isReady = (): boolean => Date.now() - beganAt > 3 * limits.timeoutMs;
  let signs = 0;
  await waitReady(server, isReady, { ...limits, progress: () => (signs += 1) });
  const never = waitReady(server, () => false, { ...limits, progress: () => 'as before' });
  await expect(never).rejects.toThrow('slow was not ready after 0.3 s');
  await server.stop();
});
