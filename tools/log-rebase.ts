import { Pool } from 'pg';
import { rebaseLog } from '#log';
import { agreeOnProduction, databaseUrlFromEnv } from '#platform';
import { recordAudit } from '#operations';
import { commandLineOrigin } from './command-line.js';
import { reportFailure } from './report-failure.js';

/**
 * `npm run log:rebase`: makes a restored event log usable. An operator runs it once after a restore
 * on another PostgreSQL server.
 */
let pool: Pool | null = null;
try {
  pool = new Pool({ connectionString: databaseUrlFromEnv(), max: 1 });
  await agreeOnProduction(pool);
  const { epoch } = await rebaseLog(pool);
  const entry = { action: 'ops.log_rebase_done', subject: null, detail: { epoch } };
  await recordAudit(pool, commandLineOrigin(), entry);
  process.stdout.write(
    `the log continues in epoch ${epoch}\n` +
      'before admin starts: npm run ops -- console reset-after-restore --reason "…"\n',
  );
} catch (error) {
  reportFailure(error);
} finally {
  await pool?.end();
}
