import pg from 'pg';
import { agreeOnProduction, databaseUrlFromEnv } from '#platform';
import { runKeys } from './keys-commands.js';
import { reportFailure } from './report-failure.js';

/**
 * `npm run keys -- …`: manages the platforms' API keys, and rotates the encryption key of stored
 * secrets.
 */
const main = async (): Promise<void> => {
  const args = process.argv.slice(2);
  const pool = new pg.Pool({ connectionString: databaseUrlFromEnv(), max: 1 });
  try {
    // Without arguments, the tool prints its usage and needs no database.
    if (args.length > 0) await agreeOnProduction(pool);
    process.stdout.write(`${await runKeys(pool, args)}\n`);
  } finally {
    await pool.end();
  }
};

main().catch(reportFailure);
