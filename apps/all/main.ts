import { createLogger } from '#platform';
import { startAll } from './all-app.js';
import { allConfig } from './all-config.js';

const logger = createLogger('all');

try {
  await startAll(allConfig(), { logger });
} catch (err) {
  logger.fatal({ err }, err instanceof Error ? err.message : 'cannot start');
  process.exitCode = 1;
}
