import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { assert } from '#kernel';
import { ConfigError } from './config.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets at rest. An encrypted text is `<keyId>.<base64url of nonce, tag and
 * ciphertext>`. The purpose of the text, e.g. the id of its row, is authenticated, so that a text
 * that was copied to another row cannot be decrypted.
 */
export interface SecretBox {
  /**
   * The id of the key that encrypts. Each text encrypted with this key begins with the id and a
   * dot.
   */
  readonly currentKeyId: string;
  seal(secret: string, purpose: string): string;
  /**
   * Throws if the text was altered, was encrypted for a different purpose, or was encrypted with an
   * unknown key.
   */
  open(sealed: string, purpose: string): string;
}

const parseKey = (text: string): readonly [string, Buffer] => {
  const [, keyId, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/_=-]+)$/.exec(text.trim()) ?? [];
  const key = Buffer.from(base64 ?? '', 'base64');
  if (keyId === undefined || key.length !== 32) {
    throw new ConfigError(
      'SECRETS_KEY must be <key id>:<base64 of 32 bytes>; generate one with:' +
        `node -p "'k1:' + crypto.randomBytes(32).toString('base64')"`,
    );
  }
  return [keyId, key];
};

const derived = (key: Buffer, use: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', use, key.length));

/**
 * Creates a secret box from keys separated by commas, each `<keyId>:<base64 of 32 bytes>`. The
 * first key encrypts, and all keys can decrypt: to rotate the key, put the new key first. With
 * `use`, the box has keys of its own, derived from these: for texts so numerous that they would wear
 * out the keys of the secrets at rest. Throws `ConfigError`.
 */
export const createSecretBox = (keysText: string, use?: string): SecretBox => {
  const parsed = keysText.split(',').map(parseKey);
  // Key objects, because Node 24 throws and catches an error at each use of a buffer as a key.
  const keys = new Map<string, KeyObject>(
    parsed.map(([id, key]) => [id, createSecretKey(use === undefined ? key : derived(key, use))]),
  );
  const current = [...keys.entries()][0];
  assert(current !== undefined, 'at least one key is configured');
  const [currentId, currentKey] = current;
  return {
    currentKeyId: currentId,
    seal: (secret, purpose) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, currentKey, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
      return `${currentId}.${bytes.toString('base64url')}`;
    },
    open: (sealed, purpose) => {
      const [keyId = '', base64 = ''] = sealed.split('.');
      const key = keys.get(keyId);
      if (key === undefined)
        throw new ConfigError(`SECRETS_KEY contains no key with the id '${keyId}': add that key`);
      const bytes = Buffer.from(base64, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  };
};
