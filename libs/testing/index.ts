export { hasBrowser, launchBrowser, type TestBrowser } from './browser.js';
export { type DevelopmentCertificate, developmentCertificate } from './certificate.js';
export { countStatements } from './count-statements.js';
export { createTopics } from './create-topics.js';
export { gate } from './gate.js';
export {
  createDatabase,
  type DatabaseApp,
  type DatabaseShape,
  kafkaBrokers,
  type TestDatabase,
  uniqueName,
} from './infrastructure.js';
export { freePort } from '../../tools/infra/processes.mjs';
export type { RunningApp, StartAppOptions } from '../../tools/infra/apps.mjs';
export { type LentDatabases, lendDatabases, openDatabase } from './lend-databases.js';
export { examplesOf, type Given, type LaterCommands, type Outcome, scenario } from './scenario.js';
export { lockWaits } from './lock-waits.js';
export { type Received, send } from './send.js';
export { specPool } from './spec-pool.js';
export { FREE_PORTS, startProcess } from './start-process.js';
export { undescribedProperties } from './undescribed-properties.js';
export { waitFor, type WaitOptions } from './wait-for.js';
