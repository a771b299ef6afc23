/**
 * The only module that starts and ends other processes, for demo, tests and chaos runs. When this
 * process ends, even by a kill, all processes that it started are ended, too.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Failure } from './failure.mjs';

/** @typedef {import('./processes.mjs').Supervised} Supervised */

const WATCHDOG = fileURLToPath(new URL('watchdog.mjs', import.meta.url));
/** The running processes in the order of their start. @type {Set<Supervised>} */
const running = new Set();
/** @type {Set<string>} */
const scratchDirs = new Set();
/** @type {import('node:child_process').ChildProcess | undefined} */
let watchdog;

/** @param {string} line */
const writeToWatchdog = (line) => {
  if (watchdog === undefined) {
    const options = { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/' };
    watchdog = spawn(process.execPath, [WATCHDOG], options);
    watchdog.unref();
    watchdog.stdin.unref();
    watchdog.stdin.on('error', () => {
      watchdog = undefined; // The watchdog was killed; the next start of a process starts a new one.
    });
  }
  watchdog.stdin.write(`${line}\n`);
};

/** @param {number} ms */
export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** The last lines of a log file. @param {string} file @param {number} [lines] */
export const tailOf = (file, lines = 15) => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
};

/** @param {import('node:child_process').ChildProcess} child */
const exitOf = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

/**
 * Supervises a child process that the caller has started with `detached`, so that the child leads a
 * process group.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ name: string, logFile?: string, stopSignal?: NodeJS.Signals, stopTimeoutMs?: number }}
 * options
 * @returns {Supervised}
 */
export const track = (child, { name, logFile, stopSignal = 'SIGTERM', stopTimeoutMs = 10_000 }) => {
  const { pid } = child;
  let isStopped = false;
  const exited = exitOf(child)
    .then((end) => ({ ...end, isStopped }))
    .finally(() => {
      running.delete(supervised);
      if (pid !== undefined) writeToWatchdog(`- ${pid}`);
    });
  // The caller awaits `exited` and handles the error. Without this line, a start that fails before
  // the caller awaits `exited` would be an unhandled rejection.
  exited.catch(() => {});
  const kill = async (signal) => {
    if (pid === undefined || !running.has(supervised)) return;
    child.kill(signal);
    const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), stopTimeoutMs);
    await exited.finally(() => clearTimeout(timer));
  };
  /** @type {Supervised} */
  const supervised = {
    name,
    pid,
    exited,
    logFile,
    isRunning: () => running.has(supervised),
    stop: () => {
      isStopped = true;
      return kill(stopSignal);
    },
    kill9: () => kill('SIGKILL'),
  };
  if (pid !== undefined) {
    running.add(supervised);
    writeToWatchdog(`+ ${pid} ${stopSignal}`);
  }
  return supervised;
};

/** @type {typeof import('./processes.mjs').supervise} */
export const supervise = (command, args, options) => {
  const { name, logFile, stopSignal, stopTimeoutMs, ...rest } = options;
  if (logFile !== undefined) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'a');
  const child = spawn(command, args, { ...rest, detached: true, stdio: ['ignore', log, log] });
  if (typeof log === 'number') closeSync(log);
  return track(child, { name, logFile, stopSignal, stopTimeoutMs });
};

/** @type {typeof import('./processes.mjs').waitReady} */
export const waitReady = async (supervised, probe, options) => {
  const { timeoutMs, everyMs = 100, progress = () => null } = options;
  let deadlineMs = Date.now() + timeoutMs;
  let seen = progress();
  let end;
  const watch = (outcome) => {
    end = outcome;
  };
  supervised.exited.then(watch, watch);
  const log = () => (supervised.logFile === undefined ? '' : tailOf(supervised.logFile));
  while (!(await probe())) {
    if (end !== undefined) {
      const how = end instanceof Error ? end.message : `exit ${end.code ?? end.signal}`;
      throw new Failure(
        `${supervised.name} ended while starting (${how}): see ${supervised.logFile}.`,
        log(),
      );
    }
    const sign = progress();
    if (sign !== seen) deadlineMs = Date.now() + timeoutMs;
    seen = sign;
    if (Date.now() > deadlineMs) {
      throw new Failure(
        `${supervised.name} was not ready after ${timeoutMs / 1_000} s: see ${supervised.logFile}.`,
        log(),
      );
    }
    await sleep(everyMs);
  }
};

/** @type {typeof import('./processes.mjs').scratchDir} */
export const scratchDir = (path) => {
  mkdirSync(path, { recursive: true });
  scratchDirs.add(path);
  writeToWatchdog(`d ${path}`);
  return path;
};

/** Ends every process started here, the newest first, and deletes the scratch folders. */
export const stopAll = async () => {
  for (const supervised of [...running].reverse()) await supervised.stop();
  for (const dir of scratchDirs) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  scratchDirs.clear();
};

/** Whether no process listens on this port of 127.0.0.1. @param {number} port */
export const isPortFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * These ports are below the range from which the system chooses ports for outgoing connections:
 * such a connection could otherwise take the port before the server starts.
 */
const FREE_PORTS = { from: 11_000, to: 32_000 };

/** @type {typeof import('./processes.mjs').freePort} */
export const freePort = async () => {
  for (;;) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to);
    if (await isPortFree(port)) return port;
  }
};
