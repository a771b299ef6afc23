import { Pool } from 'pg';
import { rebaseLog } from '#event-store';

/** `npm run log:rebase`: once after the event log was restored on another PostgreSQL server. */
const url = process.env['DATABASE_URL'];
if (!url) {
  process.stderr.write('DATABASE_URL is not set: it names the restored database\n');
  process.exit(2);
}
const pool = new Pool({ connectionString: url, max: 1 });
try {
  const { epoch } = await rebaseLog(pool);
  process.stdout.write(`the log goes on in epoch ${epoch}\n` +
    'before admin starts: npm run ops -- console restored --reason "…"\n');
} finally {
  await pool.end();
}
