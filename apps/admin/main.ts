import { createLogger } from '#platform';
import { startAdmin } from './admin-app.js';
import { adminConfig } from './admin-config.js';

const logger = createLogger('admin');

try {
  await startAdmin(adminConfig(), { logger });
} catch (err) {
  logger.fatal({ err }, err instanceof Error ? err.message : 'cannot start');
  process.exitCode = 1;
}
