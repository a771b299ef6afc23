import { LogReader, requireOwnLog } from '#event-store';
import { merchantAggregate } from '#onboarding';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { createPool } from '#platform';
import { PROJECTIONS } from '../apps/worker/projections/catalogue.js';
import { rebuildProjection } from '../apps/worker/projections/rebuild.js';

/** `projections rebuild <name>`: builds one projection anew from the log while workers run on. */
const names = PROJECTIONS.map(({ name }) => name).join(' | ');
const [verb, name] = process.argv.slice(2);
const projection = PROJECTIONS.find((one) => one.name === name);
if (verb !== 'rebuild' || projection === undefined) {
  process.stderr.write(`usage: npm run projections -- rebuild <${names}>\n`);
  process.exit(2);
}
if (!process.env['DATABASE_URL']) {
  process.stderr.write('DATABASE_URL is not set: it names the orchestrator\'s database\n');
  process.exit(2);
}

const PROGRESS_EVERY_MS = 1_000;
const pool = createPool({ applicationName: 'projections' }, (error) => {
  process.stderr.write(`an idle connection broke: ${error.message}\n`);
});
const upcasters = {
  ...orderAggregate.upcasters, ...paymentAggregate.upcasters, ...merchantAggregate.upcasters,
};
let toldAtMs = performance.now();
try {
  await requireOwnLog(pool);
  const { events } = await rebuildProjection(
    pool, new LogReader(pool, upcasters), projection, (taken) => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      process.stdout.write(`${projection.name}: ${taken} events taken in\n`);
    },
  );
  process.stdout.write(`${projection.name}: rebuilt from ${events} events\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await pool.end();
}
