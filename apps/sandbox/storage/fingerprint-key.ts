import { randomBytes } from 'node:crypto';
import { assert } from '#kernel';
import { ConfigError, createSecretBox } from '#platform';
import type { Database } from './database.js';

const SETTING = 'fingerprint_key';
const INSERT_IF_ABSENT = {
  name: 'settings:keep-first',
  text: 'INSERT INTO sandbox_settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};
const READ = { name: 'settings:read', text: 'SELECT value FROM sandbox_settings WHERE name = $1' };

/** The format of the plain key; an encrypted key never has this format. */
const PLAIN = /^[0-9a-f]{64}$/;

/**
 * The key of the card fingerprints, created at the first start and kept forever: cards must be
 * recognised even after a change of SANDBOX_SECRETS_KEY. Stored encrypted when SANDBOX_SECRETS_KEY
 * is set.
 */
export const fingerprintKey = async (
  database: Database,
  secretsKey: string | null,
): Promise<Buffer> => {
  const box = secretsKey === null ? null : createSecretBox(secretsKey);
  const made = randomBytes(32).toString('hex');
  await database.query(INSERT_IF_ABSENT, [SETTING, box?.seal(made, SETTING) ?? made]);
  const [row] = await database.query<{ value: string }>(READ, [SETTING]);
  assert(row !== undefined, 'the setting exists after the insert');
  if (PLAIN.test(row.value)) return Buffer.from(row.value, 'hex');
  if (box === null)
    throw new ConfigError(
      'set SANDBOX_SECRETS_KEY to the key that encrypted the fingerprint key of the cards',
    );
  return Buffer.from(box.open(row.value, SETTING), 'hex');
};
