import { randomBytes } from 'node:crypto';
import { assert } from '#kernel';
import { ConfigError, createSecretBox } from '#platform';
import type { Database } from './database.js';

const SETTING = 'fingerprint_key';
const KEEP_FIRST = {
  name: 'settings:keep-first',
  text: 'INSERT INTO sandbox_settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};
const READ = { name: 'settings:read', text: 'SELECT value FROM sandbox_settings WHERE name = $1' };

/** What the key looks like; sealed text never does. */
const PLAIN = /^[0-9a-f]{64}$/;

/**
 * The key of the cards' fingerprints, made at the first start and kept for ever: a card must be
 * known again after SANDBOX_SECRETS_KEY was changed, which it is sealed with where there is one.
 */
export const fingerprintKey = async (
  database: Database,
  secretsKey: string | null,
): Promise<Buffer> => {
  const box = secretsKey === null ? null : createSecretBox(secretsKey);
  const made = randomBytes(32).toString('hex');
  await database.query(KEEP_FIRST, [SETTING, box?.seal(made, SETTING) ?? made]);
  const [row] = await database.query<{ value: string }>(READ, [SETTING]);
  assert(row !== undefined, 'the setting was written before it is read');
  if (PLAIN.test(row.value)) return Buffer.from(row.value, 'hex');
  if (box === null)
    throw new ConfigError("set SANDBOX_SECRETS_KEY: the cards' fingerprint key is sealed");
  return Buffer.from(box.open(row.value, SETTING), 'hex');
};
