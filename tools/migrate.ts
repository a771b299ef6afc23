import { migrateDatabase } from '../migrations/migrate-database.js';
import { databaseUrlFromEnv } from '#platform';
import { reportFailure } from './report-failure.js';

/** `migrate orchestrator|sandbox`: migrates one database. */
const VARIABLES = { orchestrator: 'DATABASE_URL', sandbox: 'SANDBOX_DATABASE_URL' } as const;

const isTarget = (text: string | undefined): text is keyof typeof VARIABLES =>
  text !== undefined && text in VARIABLES;

const [target] = process.argv.slice(2);
if (!isTarget(target)) {
  process.stderr.write('usage: migrate orchestrator|sandbox\n');
  process.exit(2);
}
try {
  const done = await migrateDatabase(target, databaseUrlFromEnv(VARIABLES[target]));
  process.stdout.write(`${target}: ${done} migration(s) run\n`);
} catch (error) {
  reportFailure(error);
}
