import { type HttpApp, type HttpAppOptions, startHttpApp } from '#platform';
import type { WorkerConfig } from './worker-config.js';
import { WorkerModule } from './worker.module.js';

/**
 * Starts a worker; any number of workers may run. Rejects when its port is in use, or when the
 * event log was restored from another database server.
 */
export const startWorker = (
  config: WorkerConfig,
  options: Pick<HttpAppOptions, 'logger' | 'ownsProcess'> = {},
): Promise<HttpApp> =>
  startHttpApp({
    ...options,
    name: 'worker',
    module: WorkerModule.forRoot(config),
    port: config.port,
  });
