import { type ApiConfig, apiConfig } from '../api/api-config.js';
import { type WorkerConfig, workerConfig } from '../worker/worker-config.js';

/** What one process that is api and worker needs from its environment. */
export interface AllConfig {
  readonly api: ApiConfig;
  readonly worker: WorkerConfig;
}

/** Throws `ConfigError` that names what is missing. */
export const allConfig = (): AllConfig => ({ api: apiConfig(), worker: workerConfig() });
