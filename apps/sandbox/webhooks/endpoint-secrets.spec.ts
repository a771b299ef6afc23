import { randomBytes } from 'node:crypto';
import { EndpointSecrets } from './endpoint-secrets.js';

const key = `k1:${randomBytes(32).toString('base64')}`;
const secret = randomBytes(32).toString('hex');

test('a secret can be decrypted only with its key and for its endpoint', () => {
  const sealed = new EndpointSecrets(key).seal(secret, 'we_1');
  expect(sealed).not.toContain(secret);
  expect(new EndpointSecrets(key).open(sealed, 'we_1')).toBe(secret);
  expect(() => new EndpointSecrets(key).open(sealed, 'we_2')).toThrow();
});

test('an encrypted secret is never taken for a plain secret', () => {
  const sealed = new EndpointSecrets(key).seal(secret, 'we_1');
  expect(() => new EndpointSecrets(null).open(sealed, 'we_1')).toThrow('set SANDBOX_SECRETS_KEY');
  expect(new EndpointSecrets(key).open(secret, 'we_1')).toBe(secret);
});
