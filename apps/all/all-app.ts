import { type HttpApp, type HttpAppOptions, startHttpApp } from '#platform';
import { apiOptions } from '../api/api-app.js';
import type { AllConfig } from './all-config.js';
import { AllModule } from './all.module.js';

/**
 * Starts API and worker as one process. The API's port serves platforms, the worker's port serves
 * metrics. Rejects when a port is in use, or when the event log was restored from another database
 * server.
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
