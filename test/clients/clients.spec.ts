import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanyInput } from 'payment-orchestrator-client';
import { pythonClient } from '../../tools/generate-client-python.js';
import { typescriptClient } from '../../tools/generate-client-ts.js';
import { ROOT } from '../../tools/infra/paths.mjs';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { JPEG, PDF, sellerDetails, signOverHttp } from '../../tools/stack/seller.js';
import { Flow } from '../support/flow.js';
import { oneAfterAnother } from './one-after-another.js';
import { runShop } from './programs/shop.js';
import {
  checkPythonTypes,
  installPythonClient,
  programEnv,
  pythonPrograms,
  runPython,
} from './python.js';

/**
 * Tests the published clients, which are generated from our OpenAPI document, against the whole
 * product.
 */

const PROGRAMS = join(import.meta.dirname, 'programs');
const SHOP = join(PROGRAMS, 'shop.py');
const WEBHOOK_SHOP = join(PROGRAMS, 'webhook_shop.py');

let flow: Flow;
let bin: string;

beforeAll(async () => {
  bin = await pythonPrograms();
  flow = await Flow.start();
});
afterAll(() => flow.stop());

/** The actions of payer, merchant and clock. A program requests an action by printing its name. */
const ANSWERS: Readonly<Record<string, (...words: readonly string[]) => Promise<unknown>>> = {
  pay: (pageUrl = '') => new Payer(pageUrl).pay(CARDS.plain),
  clear: () => flow.stack.sandbox.advance('P2D'),
  sign: async (link = '', companyId = '') => {
    await signOverHttp(link, companyId);
    await flow.stack.sandbox.advance('P2D');
  },
};

type Report = (verb: string, ...words: readonly string[]) => void;

const inTypeScript = (report: Report): Promise<void> => {
  const { apis, apiKey, merchantId } = flow.stack;
  const details = sellerDetails() as unknown as CompanyInput;
  const files = { jpeg: JPEG, pdf: PDF };
  return runShop({ apiUrl: apis[0]?.url ?? '', apiKey, merchantId, details, ...files, report });
};

const inPython = (report: Report): Promise<void> =>
  runPython(bin, [SHOP], programEnv(flow.stack), (line) => {
    const [verb = '', ...words] = line.split(' ');
    report(verb, ...words);
  });

test('the committed clients equal those that are generated from the documents', async () => {
  for (const [path, made] of [...(await typescriptClient(ROOT)), ...pythonClient(ROOT, bin)]) {
    const found = readFileSync(join(ROOT, path), 'utf8');
    if (found !== made) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test('the Python client can be installed, and its types fit those of the programs that use it', async () => {
  await installPythonClient(bin);
  checkPythonTypes(bin, SHOP, WEBHOOK_SHOP);
});

test.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])(
  'a program in %s uses the client for orders, refunds, lists, events, webhooks and the onboarding of a merchant',
  async (_, runProgram) => {
    const reports: string[] = [];
    await new Promise<void>((resolve, reject) => {
      // A failed action ends the test, because the program waits for it.
      const act = oneAfterAnother(reject);
      runProgram((verb, ...words) => {
        reports.push(verb in ANSWERS ? verb : [verb, ...words].join(' '));
        act(() => ANSWERS[verb]?.(...words));
      }).then(resolve, reject);
    });
    expect(reports).toEqual([
      'pay',
      expect.stringMatching(/^paid ord_/),
      'reference_taken 409',
      'no amount validation_failed',
      'clear',
      'refunded queued',
      'listed',
      'followed 1250',
      'received payment-orchestrator.OrderPaid',
      'sign',
      expect.stringMatching(/^open mer_/),
    ]);
  },
  300_000,
);
