import { runApp } from '#platform';
import { startWorker } from './worker-app.js';
import { workerConfig } from './worker-config.js';

await runApp('worker', (logger) => startWorker(workerConfig(), { logger }));
