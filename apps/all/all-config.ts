import { type ApiConfig, apiConfig } from '../api/api-config.js';
import { type WorkerConfig, workerConfig } from '../worker/worker-config.js';

/** The settings of a process that runs both api and worker. */
export interface AllConfig {
  readonly api: ApiConfig;
  readonly worker: WorkerConfig;
}

/** Reads the settings from the environment. Throws a `ConfigError` that names a missing setting. */
export const allConfig = (): AllConfig => ({ api: apiConfig(), worker: workerConfig() });
