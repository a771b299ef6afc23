/**
 * As soon as the parent process has ended, ends the processes that the parent had started. The
 * watchdog notices the parent's end, even by SIGKILL, because its standard input closes. It runs in
 * a separate session, so that Ctrl-C in the terminal does not end it. Lines on standard input: `+
 * <pid> <signal>` adds a process, with the signal to end it; `- <pid>` removes a process; `d
 * <folder>` adds a folder to delete at the end.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const GRACE_MS = 8_000;
/** @type {Map<number, NodeJS.Signals>} */
const watched = new Map();
/** @type {Set<string>} */
const folders = new Set();

/** @param {number} pid @param {NodeJS.Signals | 0} signal @returns {boolean} whether it was there */
const send = (pid, signal) => {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // ESRCH: the process has already ended.
  }
};

const endAll = async () => {
  for (const [pid, signal] of watched) send(pid, signal);
  const deadlineMs = Date.now() + GRACE_MS;
  const alive = () => [...watched.keys()].some((pid) => send(pid, 0));
  while (alive() && Date.now() < deadlineMs) await new Promise((done) => setTimeout(done, 50));
  // Signals the process group of each child, so that the child's own children end, too.
  for (const pid of watched.keys()) send(-pid, 'SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const [verb, ...rest] = line.split(' ');
  if (verb === '+') watched.set(Number(rest[0]), /** @type {NodeJS.Signals} */ (rest[1]));
  if (verb === '-') watched.delete(Number(rest[0]));
  if (verb === 'd') folders.add(rest.join(' '));
}
await endAll();
