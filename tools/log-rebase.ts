import { Pool } from 'pg';
import { rebaseLog } from '#event-store';
import { Audit } from '../apps/admin/audit/audit.js';
import { commandLineOrigin } from './command-line.js';
import { tellFailure } from './tell-failure.js';

/** `npm run log:rebase`: once after the event log was restored on another PostgreSQL server. */
const url = process.env['DATABASE_URL'];
if (!url) {
  process.stderr.write('DATABASE_URL is not set: it names the restored database\n');
  process.exit(2);
}
const pool = new Pool({ connectionString: url, max: 1 });
try {
  const { epoch } = await rebaseLog(pool);
  const entry = { action: 'ops.log_rebase_done', subject: null, detail: { epoch } };
  await new Audit(pool).record(commandLineOrigin(), entry);
  process.stdout.write(`the log goes on in epoch ${epoch}\n` +
    'before admin starts: npm run ops -- console restored --reason "…"\n');
} catch (error) {
  tellFailure(error);
} finally {
  await pool.end();
}
