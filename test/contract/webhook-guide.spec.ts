import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecret, signedHeaders } from '#webhook';

/** Tests that the Python function in the webhook guide verifies the signatures of our webhooks. */

const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'guides', 'webhooks.md');
const snippet = /```python\n([^`]*)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';

const MAIN = `
import sys
asked = json.load(sys.stdin)
print(json.dumps(verified(asked["secret"], asked["headers"], asked["body"].encode())))
`;

const verify = (secret: string, headers: object, body: string) =>
  spawnSync('python3', ['-c', `${snippet}${MAIN}`], {
    input: JSON.stringify({ secret, headers, body }),
    encoding: 'utf8',
  });

const body = JSON.stringify({ type: 'OrderPaid', subject: 'ord_1', text: 'é' });
const [secret, other] = [newSecret(), newSecret()];

test('the guide’s function accepts a request that is signed with one or with two secrets', () => {
  for (const secrets of [[secret], [other, secret]]) {
    const { status, stdout } = verify(
      secret,
      signedHeaders('evt_1', body, secrets, Date.now()),
      body,
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(body));
  }
});

test('the guide’s function accepts names of headers in any case', () => {
  const signed = Object.entries(signedHeaders('evt_1', body, [secret], Date.now()));
  const headers = Object.fromEntries(signed.map(([name, value]) => [name.toUpperCase(), value]));
  expect(verify(secret, headers, body).status).toBe(0);
});

test.each([
  ['another secret', signedHeaders('evt_1', body, [other], Date.now()), body],
  ['another body', signedHeaders('evt_1', body, [secret], Date.now()), body.replace('1', '2')],
  ['an old time', signedHeaders('evt_1', body, [secret], Date.now() - 600_000), body],
  ['no headers', {}, body],
  ['a signature that is not ASCII', { 'webhook-signature': 'v1,é' }, body],
])('the guide’s function refuses a request with %s', (_what, headers, sent) => {
  const { status, stderr } = verify(secret, headers, sent);
  expect(status).not.toBe(0);
  expect(stderr).toContain('ValueError');
});
