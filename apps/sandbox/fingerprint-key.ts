import { hkdfSync, randomBytes } from 'node:crypto';
import { assert } from '#kernel';
import type { Database } from './database/database.js';

const SETTING = 'fingerprint_key';
const KEEP_FIRST = {
  name: 'settings:keep-first',
  text: 'INSERT INTO sandbox_settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};
const READ = { name: 'settings:read', text: 'SELECT value FROM sandbox_settings WHERE name = $1' };

/** From the environment's key when there is one, else made once and kept in the database. */
export const fingerprintKey = async (
  database: Database,
  secretsKey: string | null,
): Promise<Buffer> => {
  if (secretsKey !== null) {
    return Buffer.from(hkdfSync('sha256', secretsKey, '', 'card fingerprints', 32));
  }
  await database.query(KEEP_FIRST, [SETTING, randomBytes(32).toString('hex')]);
  const [row] = await database.query<{ value: string }>(READ, [SETTING]);
  assert(row !== undefined, 'the setting was written before it is read');
  return Buffer.from(row.value, 'hex');
};
