import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOG_START } from '#log';
import { deliveryOf } from '../../tools/chaos/checks/platform-webhooks.js';
import { wholeLog } from '../../tools/chaos/facts.js';
import { deliveredTo, type HandledWebhook } from '../../tools/chaos/platform-webhooks.js';
import { randomFrom } from '../../tools/chaos/random.js';
import { followAll } from '../../tools/chaos/rest.js';
import type { RunningApp } from '../../tools/infra/apps.mjs';
import { ROOT } from '../../tools/infra/paths.mjs';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { signOverHttp } from '../../tools/stack/seller.js';
import { Flow } from '../support/flow.js';
import { startWithSandboxHere } from '../support/sandbox-here.js';
import { oneAfterAnother } from './one-after-another.js';
import { programEnv, pythonPrograms, runPython } from './python.js';

/**
 * A platform without Kafka learns of all changes from webhooks only. Api and worker are killed
 * while the platform sells, refunds and onboards, and its endpoint is disabled while it refunds.
 */

const PROGRAM = join(import.meta.dirname, 'programs', 'webhook_shop.py');
const SEED = 20_261_128;
const ORDERS = 2;

const random = randomFrom(SEED, 'kills');
const killed: string[] = [];
let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start({ shape: 'apart', startApp: startWithSandboxHere });
});
afterAll(() => flow.stop());

/** Kills the app within a second after the call, at a random moment, and starts it again. */
const kill = async (app: RunningApp | undefined): Promise<void> => {
  await sleep(random.int(0, 1_000));
  await app?.kill9();
  await app?.restart();
  killed.push(app?.app ?? '');
};

const worker = () => kill(flow.stack.workers[0]);
const api = () => kill(flow.stack.apis[0]);

const later = async (duration: string): Promise<void> => {
  await followAll(flow.stack);
  await flow.stack.sandbox.advance(duration);
};

type Answer = (words: readonly string[], reply: (line: string) => void) => Promise<unknown>;

/**
 * What the test does when the client program prints one of these names: it acts as payer or merchant
 * or advances the clock, and kills the api or the worker at the same time.
 */
const ANSWERS: Readonly<Record<string, Answer>> = {
  pay: async ([pageUrl = '']) => {
    const isEven = killed.length % 2 === 0;
    await Promise.all([new Payer(pageUrl).pay(CARDS.plain), isEven ? worker() : api()]);
  },
  clear: async (_words, reply) => {
    await later('P1D');
    await worker();
    reply('enable the endpoint');
    await later('P2D');
  },
  sign: async ([link = '', companyId = '']) => {
    await Promise.all([signOverHttp(link, companyId), api()]);
    await later('P4D');
  },
};

test('a platform that only receives webhooks handles each event once after de-duplication and in the order of its subject, although api and worker are killed and its endpoint is disabled for a while', async () => {
  const { orchestrator } = flow.stack.databases;
  const env = {
    ...programEnv(flow.stack),
    PYTHONPATH: join(ROOT, 'clients', 'python'),
    ORDERS: String(ORDERS),
  };
  let endpointId = '';
  let start = LOG_START;
  let handled: readonly HandledWebhook[] = [];
  const bin = await pythonPrograms();
  await new Promise<void>((resolve, reject) => {
    const act = oneAfterAnother(reject);
    runPython(bin, [PROGRAM], env, (line, reply) => {
      const [verb = '', ...words] = line.split(' ');
      if (verb === 'handled') {
        handled = JSON.parse(words.join(' ')) as readonly HandledWebhook[];
      } else if (verb === 'deliver') {
        [endpointId = ''] = words;
        act(async () => {
          start = await deliveredTo(orchestrator, endpointId);
          reply('delivered');
        });
      } else act(() => ANSWERS[verb]?.(words, reply));
    }).then(resolve, reject);
  });

  const pool = new pg.Pool({ connectionString: orchestrator, max: 1 });
  try {
    const log = await wholeLog(pool);
    const { due, broken } = deliveryOf({ endpointId, start, handled }, log);
    expect(broken).toEqual([]);
    const at = (type: string) => log.findIndex((event) => event.type === type);
    const meanwhile = log.slice(at('WebhookEndpointDisabled'), at('WebhookEndpointEnabled'));
    expect(meanwhile.map(({ type }) => type)).toContain('RefundRequested');
    const types = new Set(due.map(({ type }) => type));
    for (const type of ['OrderPaid', 'OrderRefunded', 'MerchantEnabled']) {
      expect(types).toContain(type);
    }
    expect(handled.length).toBeGreaterThan(due.length);
    expect(killed.toSorted()).toEqual(['api', 'api', 'worker', 'worker']);
  } finally {
    await pool.end();
  }
});
