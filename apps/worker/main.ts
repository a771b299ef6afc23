import { createLogger } from '#platform';
import { startWorker } from './worker-app.js';
import { workerConfig } from './worker-config.js';

const logger = createLogger('worker');

try {
  await startWorker(workerConfig(), { logger });
} catch (err) {
  logger.fatal({ err }, err instanceof Error ? err.message : 'cannot start');
  process.exitCode = 1;
}
