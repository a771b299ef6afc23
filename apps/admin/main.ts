import { runApp } from '#platform';
import { startAdmin } from './admin-app.js';
import { adminConfig } from './admin-config.js';

await runApp('admin', (logger) => startAdmin(adminConfig(), { logger }));
