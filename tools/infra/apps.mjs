import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { withoutOthersSecrets } from './app-environment.mjs';
import { programFile } from './programs.mjs';
import { Failure } from './failure.mjs';
import { ROOT, stateDir } from './paths.mjs';
import { supervise, tailOf, waitReady } from './processes.mjs';
import { heapArgs, MALLOC, SHORT_RUN } from './settings.mjs';

/** @param {string} url @returns {Promise<boolean>} */
const isReady = async (url) => {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false; // The app does not listen yet; the caller decides how long to retry.
  }
};

/**
 * Specs start apps without source maps, because they start more than 100 apps and reading source
 * maps takes a fifth of the start time.
 */
const NODE_ARGS = process.env.JEST_WORKER_ID === undefined ? ['--enable-source-maps'] : SHORT_RUN;

/**
 * The file that starts an app of another release: its program, or the compiled main module in
 * releases before programs were bundled.
 * @param {string} checkout @param {string} app
 */
const mainOfRelease = (checkout, app) => {
  const dist = join(checkout, 'dist');
  const files = [
    join(dist, 'programs', `${app}.js`),
    join(dist, 'examples', app, 'main.js'),
    join(dist, 'apps', app, 'main.js'),
  ];
  return files.find((file) => existsSync(file)) ?? files[0];
};

/** @type {typeof import('./apps.mjs').startApp} */
export const startApp = async (options) => {
  const { app, checkout, port, internalPort = port, env, timeoutMs = 30_000, args = [] } = options;
  const main = checkout === undefined ? programFile(app) : mainOfRelease(checkout, app);
  if (!existsSync(main)) {
    throw new Failure(`${main} does not exist: run \`npm run build\`, then try again.`);
  }
  const { logFile = join(stateDir('logs'), `${app}.log`) } = options;
  const url = `http://127.0.0.1:${port}`;
  const launch = () =>
    supervise(process.execPath, [...NODE_ARGS, ...heapArgs(app), ...args, main], {
      name: `The ${app}`,
      logFile,
      cwd: checkout ?? ROOT,
      env: withoutOthersSecrets(app, { ...MALLOC, ...process.env, ...env }),
    });
  const ready = () => waitReady(current, () => isReady(url), { timeoutMs });
  let current = launch();
  await ready();
  return {
    app,
    url,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    logFile,
    get pid() {
      return current.pid;
    },
    exited: () => current.exited,
    isRunning: () => current.isRunning(),
    logTail: (lines) => tailOf(logFile, lines),
    stop: () => current.stop(),
    kill9: () => current.kill9(),
    restart: async () => {
      await current.stop();
      current = launch();
      await ready();
    },
  };
};
