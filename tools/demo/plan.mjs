import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from '../infra/failure.mjs';
import { stateDir } from '../infra/paths.mjs';

const DEFAULT_BASE = 4_100;

/**
 * The ports of the demo's processes. PORT_BASE shifts all of them, so that two checkouts can run at
 * the same time.
 */
export const portsOfDemo = () => {
  const text = process.env.PORT_BASE ?? String(DEFAULT_BASE);
  const base = Number(text);
  if (!/^\d+$/.test(text) || base < 1_024 || base > 65_500) {
    throw new Failure(`PORT_BASE must be a whole number from 1024 to 65500, not '${text}'.`);
  }
  const offsets = {
    api: 0,
    apiTls: 1,
    worker: 2,
    sandbox: 3,
    sandboxTls: 4,
    shop: 5,
    postgres: 6,
    kafka: 7,
    kafkaController: 8,
    admin: 9,
    fulfilment: 10,
  };
  const at = ([name, offset]) => [name, base + offset];
  return /** @type {Record<keyof typeof offsets, number>} */ (
    Object.fromEntries(Object.entries(offsets).map(at))
  );
};

/**
 * A key that consists only of letters, because the api refuses a text whose digits resemble a card
 * number.
 */
const letters = (count) =>
  Array.from(randomBytes(count), (byte) => String.fromCharCode(97 + (byte % 26))).join('');

/**
 * The sandbox's encryption keys. They include the orchestrator's key, because sandboxes of earlier
 * releases encrypted their data with that key.
 */
const sandboxSecretsKey = ({ secretsKey }) => {
  const own = `box1:${randomBytes(32).toString('base64')}`;
  return secretsKey === undefined ? own : `${own},${secretsKey}`;
};

/** Secrets of this checkout's demo, created once and stored with the demo's data. */
export const secretsOfDemo = () => {
  const file = join(stateDir('demo'), 'secrets.json');
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets = {
    postgresPassword: randomBytes(18).toString('hex'),
    secretsKey: `dev1:${randomBytes(32).toString('base64')}`,
    sandboxSecretsKey: sandboxSecretsKey(kept),
    sandboxTestKey: `stest_${letters(24)}`,
    sandboxLiveKey: `sprod_${letters(24)}`,
    partnerTestKey: `spart_test_${letters(24)}`,
    partnerLiveKey: `spart_live_${letters(24)}`,
    ...kept,
  };
  // Adds the secrets that an earlier release of the demo did not store.
  if (Object.keys(kept).length < Object.keys(secrets).length) {
    writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  }
  return secrets;
};
