import { orchestratorDataSource } from '../migrations/orchestrator/data-source.js';
import { sandboxDataSource } from '../migrations/sandbox/data-source.js';

/** `migrate orchestrator|sandbox`: brings one database up to date. */
const sources = {
  orchestrator: { make: orchestratorDataSource, variable: 'DATABASE_URL' },
  sandbox: { make: sandboxDataSource, variable: 'SANDBOX_DATABASE_URL' },
} as const;

const isTarget = (text: string | undefined): text is keyof typeof sources =>
  text !== undefined && text in sources;

const [target] = process.argv.slice(2);
if (!isTarget(target)) {
  process.stderr.write('usage: migrate orchestrator|sandbox\n');
  process.exit(2);
}
const { make, variable } = sources[target];
const url = process.env[variable];
if (!url) {
  process.stderr.write(`${variable} is not set: it names the ${target}'s database\n`);
  process.exit(2);
}
const source = await make(url).initialize();
try {
  const done = await source.runMigrations();
  process.stdout.write(`${target}: ${done.length} migration(s) run\n`);
} finally {
  await source.destroy();
}
