import { randomBytes } from 'node:crypto';
import { createSecretBox } from './index.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

test('an encrypted secret can be decrypted, and its ciphertext reveals nothing', () => {
  const box = createSecretBox(key('k1'));
  const sealed = box.seal('stest_abc', 'account-1');
  expect(sealed).toMatch(/^k1\.[\w-]+$/);
  expect(Buffer.from(sealed.slice(3), 'base64url').toString()).not.toContain('stest');
  expect(box.open(sealed, 'account-1')).toBe('stest_abc');
  expect(box.seal('stest_abc', 'account-1')).not.toBe(sealed);
});

test('a secret that was copied to another row cannot be decrypted', () => {
  const box = createSecretBox(key('k1'));
  expect(() => box.open(box.seal('s', 'account-1'), 'account-2')).toThrow();
});

test('an altered secret cannot be decrypted', () => {
  const box = createSecretBox(key('k1'));
  const sealed = box.seal('secret', 'a');
  const flipped = sealed[10] === 'A' ? 'B' : 'A';
  expect(() => box.open(`${sealed.slice(0, 10)}${flipped}${sealed.slice(11)}`, 'a')).toThrow();
  expect(() => box.open('k1.AAAA', 'a')).toThrow();
});

test('after a rotation the new key encrypts, and secrets encrypted with the old key can still be decrypted', () => {
  const oldKey = key('k1');
  const sealed = createSecretBox(oldKey).seal('s', 'a');
  const rotated = createSecretBox(`${key('k2')},${oldKey}`);
  expect(rotated.open(sealed, 'a')).toBe('s');
  expect(rotated.seal('s', 'a')).toMatch(/^k2\./);
  expect(() => createSecretBox(key('k2')).open(sealed, 'a')).toThrow("no key with the id 'k1'");
});

test.each(['', 'k1', 'k1:short', ':AAAA'])(
  'the encryption key %p is rejected with a message that says what to set',
  (text) => {
    expect(() => createSecretBox(text)).toThrow(
      'SECRETS_KEY must be <key id>:<base64 of 32 bytes>',
    );
  },
);
