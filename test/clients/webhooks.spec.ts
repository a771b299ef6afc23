import { join } from 'node:path';
import { verifyWebhook, WebhookVerificationError } from 'payment-orchestrator-client';
import { newSecret, signedHeaders } from '#webhook';
import { ROOT } from '../../tools/infra/paths.mjs';
import { pythonPrograms, runPython } from './python.js';

/** Tests that the clients verify the signatures of our webhooks. */

const event = { type: 'payment-orchestrator.OrderPaid', subject: 'ord_1', data: { text: 'é' } };
const body = JSON.stringify(event);
const [secret, other] = [newSecret(), newSecret()];
const signed = (secrets: readonly string[], atMs = Date.now()) => ({
  ...signedHeaders('evt_1', body, secrets, atMs),
});

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const ACCEPTED: Readonly<Record<string, Received>> = {
  'a request': { headers: signed([secret]), body },
  'a request that is signed with two secrets': { headers: signed([other, secret]), body },
};

const REFUSED: Readonly<Record<string, Received>> = {
  'another secret': { headers: signed([other]), body },
  'another body': { headers: signed([secret]), body: body.replace('ord_1', 'ord_2') },
  'an old time': { headers: signed([secret], Date.now() - 600_000), body },
  'no signature': { headers: { ...signed([secret]), 'webhook-signature': '' }, body },
  'a malformed signature': { headers: { ...signed([secret]), 'webhook-signature': 'v1' }, body },
};

const ALL = [...Object.values(ACCEPTED), ...Object.values(REFUSED)];

const inTypeScript = (): readonly unknown[] =>
  ALL.map((received) => {
    try {
      return verifyWebhook({ secret, ...received });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return 'refused';
      throw error;
    }
  });

const PROGRAM = `
import json, os
from payment_orchestrator import WebhookVerificationError, verify_webhook

def verified(received):
    try:
        return verify_webhook(os.environ["SECRET"], received["headers"], received["body"].encode())
    except WebhookVerificationError:
        return "refused"

print(json.dumps([verified(one) for one in json.loads(os.environ["RECEIVED"])]))
`;

const inPython = async (): Promise<readonly unknown[]> => {
  const lines: string[] = [];
  const env = {
    SECRET: secret,
    RECEIVED: JSON.stringify(ALL),
    PYTHONPATH: join(ROOT, 'clients', 'python'),
  };
  await runPython(await pythonPrograms(), ['-c', PROGRAM], env, (line) => lines.push(line));
  return JSON.parse(lines.join('')) as unknown[];
};

test.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])(
  'the client in %s accepts a webhook that we signed, and refuses any other',
  async (_, run) => {
    const results = await run();
    const named = [...Object.keys(ACCEPTED), ...Object.keys(REFUSED)].map((name, at) => [
      name,
      results[at],
    ]);
    expect(Object.fromEntries(named)).toEqual({
      ...Object.fromEntries(Object.keys(ACCEPTED).map((name) => [name, event])),
      ...Object.fromEntries(Object.keys(REFUSED).map((name) => [name, 'refused'])),
    });
  },
  300_000,
);
