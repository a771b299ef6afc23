import { createLogger } from '#platform';
import { apiConfig } from './api-config.js';
import { startApi } from './api-app.js';

const logger = createLogger('api');

try {
  await startApi(apiConfig(), { logger });
} catch (err) {
  logger.fatal({ err }, err instanceof Error ? err.message : 'cannot start');
  process.exitCode = 1;
}
