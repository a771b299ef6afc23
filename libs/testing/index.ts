export { hasBrowser, launchBrowser, type TestBrowser } from './browser.js';
export { createDatabase, kafkaBrokers, type TestDatabase, uniqueName } from './infrastructure.js';
export { freePort } from '../../tools/infra/processes.mjs';
export { type Given, type Outcome, scenario } from './scenario.js';
export { waitFor, type WaitOptions } from './wait-for.js';
