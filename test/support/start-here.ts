import { AsyncLocalStorage } from 'node:async_hooks';
import { withoutOthersSecrets } from '../../tools/infra/app-environment.mjs';
import type { RunningApp, StartAppOptions } from '../../tools/infra/apps.mjs';
import { tailOf } from '../../tools/infra/processes.mjs';
import { createLogger, type HttpApp, type Logger } from '#platform';
import { FREE_PORTS } from '#testing';
import pino from 'pino';
import { startAdmin } from '../../apps/admin/admin-app.js';
import { adminConfig } from '../../apps/admin/admin-config.js';
import { startAll } from '../../apps/all/all-app.js';
import { allConfig } from '../../apps/all/all-config.js';
import { startApi } from '../../apps/api/api-app.js';
import { apiConfig } from '../../apps/api/api-config.js';
import { startShop } from '../../apps/sandbox/people/shop/shop-app.js';
import { shopConfigFromEnv } from '../../apps/sandbox/people/shop/shop-config.js';
import { startSandbox } from '../../apps/sandbox/sandbox-app.js';
import { sandboxConfigFromEnv } from '../../apps/sandbox/settings/sandbox-config.js';
import { startWorker } from '../../apps/worker/worker-app.js';
import { workerConfig } from '../../apps/worker/worker-config.js';

/**
 * Starts the servers of an app with the settings in `process.env`; the sandbox starts a second
 * server, the demo shop.
 */
type Start = (logger: Logger) => readonly Promise<HttpApp>[];

const shared = (logger: Logger) => ({ logger, ownsProcess: false });

const STARTS: Readonly<Record<string, Start>> = {
  all: (logger) => [startAll(allConfig(), shared(logger))],
  api: (logger) => [startApi(apiConfig(), shared(logger))],
  worker: (logger) => [startWorker(workerConfig(), shared(logger))],
  // Only the folder of the compiled apps contains the built console.
  admin: (logger) => [
    startAdmin({ ...adminConfig(), consoleFiles: 'dist/apps/admin/console-build' }, shared(logger)),
  ],
  sandbox: (logger) => {
    const config = sandboxConfigFromEnv();
    const shop = shopConfigFromEnv(config.publicUrl);
    return [
      startSandbox(config, shared(logger)),
      ...(shop === null ? [] : [startShop(shop, logger)]),
    ];
  },
};

const environments = new AsyncLocalStorage<NodeJS.ProcessEnv>();
let divided: NodeJS.ProcessEnv | null = null;

/**
 * Replaces `process.env`, so that each app in this process reads the environment with which the app
 * was started.
 */
const divideEnvironment = (): void => {
  if (process.env === divided) return; // Already replaced; the end of the spec restores it.
  divided = new Proxy(process.env, {
    get: (own, name) => Reflect.get(environments.getStore() ?? own, name),
  });
  process.env = divided;
};

/**
 * Starts an app in the spec's process, with the settings of a separate process. A separate process
 * takes more than one CPU second to start; here a Jest worker loads the apps once for all its
 * specs. An app that is started here can be stopped but not killed.
 */
export const startHere = async (options: StartAppOptions): Promise<RunningApp> => {
  const { app, port, internalPort = port, env, logFile = '/dev/null' } = options;
  const start = STARTS[app];
  if (start === undefined)
    throw new Error(
      `${app} cannot run in the spec's process; start it with startApp of tools/infra`,
    );
  divideEnvironment();
  const whole = withoutOthersSecrets(app, { ...process.env, ...FREE_PORTS, ...env });
  let running: readonly HttpApp[] = [];
  const launch = async (): Promise<void> => {
    const destination = pino.destination({ dest: logFile, sync: true });
    const level = whole['LOG_LEVEL'] ?? 'info';
    const logger = createLogger(app, { level, destination });
    running = await environments.run(whole, () => Promise.all(start(logger)));
  };
  const stop = async (): Promise<void> => {
    const ending = running;
    running = [];
    await Promise.all(ending.map((one) => one.close()));
  };
  await launch();
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    logFile,
    pid: process.pid,
    exited: () => Promise.reject(new Error(`${app} has no process of its own`)),
    isRunning: () => running.length > 0,
    logTail: (lines) => tailOf(logFile, lines),
    stop,
    kill9: () => Promise.reject(new Error(`${app} has no process of its own`)),
    restart: async () => {
      await stop();
      await launch();
    },
  };
};
