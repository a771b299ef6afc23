import { runApp } from '#platform';
import { startAll } from './all-app.js';
import { allConfig } from './all-config.js';

await runApp('all', (logger) => startAll(allConfig(), { logger }));
