import { runApp } from '#platform';
import { apiConfig } from './api-config.js';
import { startApi } from './api-app.js';

await runApp('api', (logger) => startApi(apiConfig(), { logger }));
