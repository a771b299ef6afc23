import { type HttpApp, type HttpAppOptions, startHttpApp } from '#platform';
import { apiOptions } from '../api/api-app.js';
import type { AllConfig } from './all-config.js';
import { AllModule } from './all.module.js';

/**
 * Starts api and worker as one process: the api's port is for platforms, the worker's for metrics.
 * Rejects when a port is in use or when the log belongs to another server.
 */
export const startAll = (
  { api, worker }: AllConfig,
  options: Pick<HttpAppOptions, 'logger' | 'ownsProcess'> = {},
): Promise<HttpApp> =>
  startHttpApp({
    ...options,
    ...apiOptions(api),
    name: 'all',
    module: AllModule.forRoot({ api, worker }),
    internalPort: worker.port,
  });
