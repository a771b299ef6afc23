import { Client } from 'pg';
import { EVERYTHING, type List, ofPlatform, type Scope, statementOf } from '#lists';
import { MERCHANT_LIST } from '#onboarding';
import { ORDER_LIST } from '#order';
import { DISPUTE_LIST, MANDATE_LIST, PAYMENT_LIST, REFUND_LIST } from '#payment';
import {
  EXCEPTION_LIST,
  JOURNAL_LIST,
  LEDGER_ACCOUNTS,
  ledgerEntries,
  PAYOUT_LINES,
  PAYOUT_LIST,
} from '#payout';
import { createDatabase, type TestDatabase } from '#testing';
import { ACTION_LIST } from '../../apps/admin/actions/action-store.js';
import { PAYMENTS } from '../../apps/admin/lists/money-filters.js';
import { AUDIT_LIST } from '../../apps/admin/audit/audit-list.js';
import { DISCARDED_LIST } from '../../apps/admin/queues/discarded-list.js';
import {
  REFUSED_WEBHOOK_LIST,
  SENT_WEBHOOK_LIST,
  WEBHOOK_LIST,
} from '../../apps/admin/webhooks/webhook-lists.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createDatabase('orchestrator');
  client = new Client({ connectionString: database.url });
  await client.connect();
  // These settings make PostgreSQL return rows in the order of an index. It sorts rows only if no
  // index has the requested order.
  await client.query(
    'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off',
  );
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly Node[];
}

/**
 * The nodes of a query plan that determine the sort order; subplans are left out, because they only
 * read columns of single rows.
 */
const nodesOf = (node: Node): readonly string[] => [
  node['Node Type'],
  ...(node.Plans ?? [])
    .filter((one) => !['SubPlan', 'InitPlan'].includes(one['Parent Relationship'] ?? ''))
    .flatMap(nodesOf),
];

const ofEach = (lists: readonly List[], scopeOf: (list: List) => Scope) =>
  lists.flatMap((list) =>
    Object.keys(list.sorts).flatMap((sort) =>
      (['asc', 'desc'] as const).map(
        (direction) => [list.name, sort, direction, { list, scope: scopeOf(list) }] as const,
      ),
    ),
  );

const BOTH = [ORDER_LIST, PAYMENT_LIST, PAYOUT_LIST, MERCHANT_LIST, EXCEPTION_LIST];

const CASES = [
  ...ofEach([...BOTH, REFUND_LIST, DISPUTE_LIST, MANDATE_LIST], (list) => ofPlatform(list, 'shop')),
  ...ofEach(
    [
      ...BOTH,
      JOURNAL_LIST,
      AUDIT_LIST,
      WEBHOOK_LIST,
      REFUSED_WEBHOOK_LIST,
      SENT_WEBHOOK_LIST,
      DISCARDED_LIST,
      ACTION_LIST,
    ],
    () => EVERYTHING,
  ),
  ...ofEach([PAYOUT_LINES], () => [['l.payout_id = ?', 'pout_1']]),
  ...ofEach(LEDGER_ACCOUNTS.map(ledgerEntries), () => [
    ['account_id = ?', 'acc_1'],
    ['currency = ?', 'eur'],
  ]),
];

test.each(CASES)(
  'the list of %s sorted by %s, %s, is read from an index without sorting',
  async (_, sort, direction, of) => {
    const { list, scope } = of;
    const currency = sort === 'amount' ? { currency: 'eur' } : {};
    const query = { sort, direction, ...currency };
    for (const cursor of [undefined, cursorAt(list, sort, direction)]) {
      const asked = { ...query, ...(cursor !== undefined && { cursor }) };
      const { text, values } = statementOf(list, scope, asked, 21);
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
        `EXPLAIN (FORMAT JSON) ${text}`,
        values,
      );
      const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan as Node);
      expect(nodes.filter((node) => node.includes('Sort'))).toEqual([]);
      expect(nodes).toContainEqual(expect.stringMatching(/^Index (?:Only )?Scan$/));
    }
  },
);

test('the payments whose authorization expires before an instant are read from an index that has no other rows', async () => {
  const query = { status: ['authorized'], expiresTo: '2026-03-01T00:00:00Z' };
  const { text, values } = statementOf(PAYMENTS, EVERYTHING, query, 21);
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Node }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  );
  const scan = rows[0]?.['QUERY PLAN'][0].Plan.Plans?.[0];
  expect(scan).toMatchObject({ 'Index Cond': expect.stringContaining('expires_at') });
  expect(scan).not.toHaveProperty('Filter');
});

/** A page cursor as the console sends it. */
const cursorAt = ({ sorts, idIs }: List, sort: string, direction: string): string => {
  const at = {
    instant: '2026-03-01T00:00:00.000000Z',
    day: '2026-03-01',
    amount: '1000',
    text: 'payment',
  }[sorts[sort]?.of ?? 'text'];
  const id = { text: 'id_1', uuid: '00000000-0000-4000-8000-000000000000', number: '1' }[
    idIs ?? 'text'
  ];
  return Buffer.from(JSON.stringify([sort, direction, at, id])).toString('base64url');
};
