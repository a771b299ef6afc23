import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { track } from '../../tools/infra/processes.mjs';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { JPEG, PDF, sellerDetails, signOverHttp } from '../../tools/stack/seller.js';
import { Flow } from '../support/flow.js';
import { type Command, pythonClient, typescriptClient } from './generated.js';

/**
 * Generates clients from our OpenAPI document with third-party generators, and runs them against
 * the whole product.
 */

let flow: Flow;

beforeAll(async () => {
  flow = await Flow.start();
});
afterAll(() => flow.stop());

/**
 * The actions of payer and merchant on the provider's pages, by the word that the program prints to
 * request the action.
 */
const ANSWERS: Readonly<Record<string, (...words: readonly string[]) => Promise<unknown>>> = {
  pay: (pageUrl = '') => new Payer(pageUrl).pay(CARDS.plain),
  sign: async (link = '', companyId = '') => {
    await signOverHttp(link, companyId);
    await flow.stack.sandbox.advance('P2D');
  },
};

/**
 * Runs the program to its end and performs the actions that the program requests; returns the first
 * word of each output line.
 */
const live = async ({ program, args }: Command): Promise<readonly string[]> => {
  const { stack } = flow;
  const child = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      API_URL: stack.apis[0]?.url ?? '',
      API_KEY: stack.apiKey,
      MERCHANT_ID: stack.merchantId,
      DETAILS: JSON.stringify(sellerDetails()),
      JPEG: JPEG.toString('base64'),
      PDF: PDF.toString('base64'),
    },
  });
  track(child, { name: program });
  const complaint = text(child.stderr);
  const ended = once(child, 'exit');
  const verbs: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [verb = '', ...words] = line.split(' ');
    verbs.push(verb);
    await ANSWERS[verb]?.(...words);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`exit ${code} after ${verbs.join()}: ${await complaint}`);
  return verbs;
};

test.each([
  ['TypeScript', typescriptClient],
  ['Python', pythonClient],
])(
  'a client generated in %s compiles, sells an order and onboards a merchant',
  async (_, makeClient) => {
    expect(await live(await makeClient())).toEqual(['pay', 'paid', 'sign', 'open']);
  },
  300_000,
);
