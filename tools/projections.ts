import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { LogReader, requireOwnLog } from '#log';
import { UPCASTERS } from '#orchestrator';
import { agreeOnProduction, createPool } from '#platform';
import { PROJECTIONS } from '../apps/worker/projections/catalogue.js';
import { rebuildProjection } from '#projections';
import { auditedWork } from './audited-work.js';
import { commandLineOrigin, reasonOf } from './command-line.js';
import { reportFailure } from './report-failure.js';

/** `projections rebuild <name>`: rebuilds one projection from the log while workers continue. */
const names = PROJECTIONS.map(({ name }) => name).join(' | ');
const USAGE = `usage: npm run projections -- rebuild <${names}> --reason "…"`;

const {
  positionals: [verb, name],
  values,
} = parseArgs({
  allowPositionals: true,
  options: { reason: { type: 'string' } },
});
const projection = PROJECTIONS.find((one) => one.name === name);
if (verb !== 'rebuild' || projection === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const PROGRESS_EVERY_MS = 1_000;
let shownAtMs = performance.now();
const showProgress = (applied: number): void => {
  if (performance.now() - shownAtMs < PROGRESS_EVERY_MS) return;
  shownAtMs = performance.now();
  process.stdout.write(`${projection.name}: ${applied} events applied\n`);
};
const showDelay = (): void => {
  process.stdout.write(
    `${projection.name}: waits for a transaction that uses the list, such as a dump; ` +
      'pg_stat_activity shows the transaction\n',
  );
};
let pool: Pool | null = null;
try {
  const opened = createPool({ applicationName: 'projections' }, (error) => {
    process.stderr.write(`an idle database connection was closed: ${error.message}\n`);
  });
  pool = opened;
  await agreeOnProduction(opened);
  const entry = {
    action: 'ops.projections_rebuild',
    subject: { type: 'projection', id: projection.name },
    reason: reasonOf(values.reason, USAGE),
  };
  await requireOwnLog(opened);
  const events = await auditedWork(opened, commandLineOrigin(), entry, async () => {
    const reader = new LogReader(opened, UPCASTERS);
    const outcome = await rebuildProjection(opened, reader, projection, {
      onProgress: showProgress,
      onDelayed: showDelay,
    });
    return { outcome, answer: outcome.events };
  });
  process.stdout.write(`${projection.name}: rebuilt from ${events} events\n`);
} catch (error) {
  reportFailure(error);
} finally {
  await pool?.end();
}
