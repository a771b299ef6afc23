import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, WaitingSagas } from '#log';
import { instantFromMs, newId } from '#kernel';
import { EVERYTHING, Lists } from '#lists';
import { ORDER_LIST } from '#order';
import { NO_LINES, payoutAggregate } from '#payout';
import { type AdminFixture, startAdminFixture, type TestBrowser } from './admin.fixture.js';
import { ExportClaims } from './exports/export-claims.js';
import { EXPORT_LIMITS } from './exports/exported-lists.js';
import { ExportRunner } from './exports/export-runner.js';
import { LISTS, plantOthers } from './lists.fixture.js';
import { fillConsole, intentId, orderId, paymentId, traceId } from './reads.fixture.js';
import { openApiDocument } from './reference/openapi.js';

const METHODS = { card: NO_LINES, sepa: NO_LINES };

/** A payout without lines, as the provider shows it. */
const PAYOUT = {
  reference: 'R-1',
  currency: 'eur',
  amountMinor: 1_234,
  feesMinor: 16,
  feesVatMinor: 3,
  date: '2026-03-03',
  bankDate: null,
  totals: { payment: METHODS, refund: METHODS, dispute: METHODS },
};

let admin: AdminFixture;
let viewer: TestBrowser;
/** A session of a user who may download every file. */
let operator: TestBrowser;

beforeAll(async () => {
  admin = await startAdminFixture();
  viewer = await admin.signedIn('viewer');
  operator = await admin.signedIn('operator');
  await fillConsole(admin);
  await plantOthers(admin.pool);
});

afterAll(() => admin.stop());

const items = async (path: string): Promise<readonly Record<string, unknown>[]> => {
  const { status, body } = await viewer.get(path);
  expect([path, status]).toEqual([path, 200]);
  return body['items'] as readonly Record<string, unknown>[];
};

test('a list shows its rows newest first, each row on exactly one of its pages', async () => {
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await viewer.get(`/v1/orders?limit=50${cursor && `&cursor=${cursor}`}`);
    seen.push(...(body['items'] as { reference: string }[]).map(({ reference }) => reference));
    cursor = String(body['nextCursor'] ?? '');
  } while (cursor !== '');
  const older = Array.from({ length: 120 }, (_, n) => `R-${119 - n}`);
  expect(seen).toEqual(['A-1001', ...older, 'OLD-1']);
});

test.each([
  ['orders', 'created', 'placedAt'],
  ['orders', 'updated', 'updatedAt'],
  ['orders', 'amount', 'amountMinor'],
  ['payments', 'created', 'requestedAt'],
  ['payments', 'updated', 'updatedAt'],
  ['payouts', 'created', 'date'],
  ['payouts', 'updated', 'updatedAt'],
  ['payouts', 'amount', 'amountMinor'],
])(
  'the list %s can be sorted by %s, ascending and descending, across pages',
  async (list, sort, field) => {
    const all = async (direction: string): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      let cursor = '';
      do {
        const query = `sort=${sort}&direction=${direction}&currency=eur&limit=70${cursor}`;
        const { body } = await viewer.get(`/v1/${list}?${query}`);
        found.push(...(body['items'] as Record<string, unknown>[]).map((item) => item[field]));
        cursor = body['nextCursor'] === null ? '' : `&cursor=${String(body['nextCursor'])}`;
      } while (cursor !== '');
      return found;
    };
    const rising = await all('asc');
    expect(rising.length).toBeGreaterThan(1);
    const rank = (value: unknown) =>
      typeof value === 'number' ? value : Date.parse(String(value));
    expect(rising.map(rank)).toEqual(rising.map(rank).toSorted((a, b) => a - b));
    expect(await all('desc')).toEqual(rising.toReversed());
  },
);

test('amount filters require a currency', async () => {
  for (const query of ['sort=amount', 'amountFrom=1', 'amountTo=1']) {
    const { status, body } = await viewer.get(`/v1/orders?${query}`);
    expect([query, status]).toEqual([query, 422]);
    expect(body['errors']).toMatchObject([{ parameter: 'currency' }]);
  }
});

test('an invalid cursor is rejected', async () => {
  expect((await viewer.get('/v1/orders?cursor=nonsense')).status).toBe(422);
});

test.each([
  ['A-1001', 'order', 'reference'],
  [orderId, 'order', 'id'],
  [paymentId, 'payment', 'id'],
  [intentId, 'payment', 'intent'],
  ['paym_1', 'payment', 'provider id'],
  ['refd_1', 'payment', 'provider id'],
  ['rfr_1', 'payment', 'refund'],
  ['return-17', 'payment', 'refund'],
  ['exc_old', 'exception', 'id'],
  ['evt_1', 'webhook', 'id'],
  ['m1', 'order', 'merchant'],
  ['acc_1', 'payment', 'account'],
])('the search for %s finds the %s by the field %s', async (q, type, found) => {
  expect(await items(`/v1/search?q=${q}`)).toContainEqual(expect.objectContaining({ type, found }));
});

test.each([
  ['the beginning of its id', paymentId.slice(0, 10), 'payment', paymentId],
  ['the beginning of its id without its prefix', paymentId.slice(4, 10), 'payment', paymentId],
  ['the end of its id', paymentId.slice(-6), 'payment', paymentId],
  ['the middle of its id', paymentId.slice(9, 18), 'payment', paymentId],
  ['the end of its intent’s id', intentId.slice(-6), 'payment', paymentId],
  ['a part of its order’s reference', '-1001', 'payment', paymentId],
  ['its amount', '12.50', 'payment', paymentId],
  ['the last four digits of its card', '4242', 'payment', paymentId],
  ['amount and last four', '12.50 last4:4242', 'payment', paymentId],
  ['its amount in euros', '€12,50', 'payment', paymentId],
  ['operators', 'status:unknown amount:>12 account:acc_1', 'payment', paymentId],
  ['a part of its reference', 'a-100', 'order', orderId],
  ['the end of its id', orderId.slice(-5), 'order', orderId],
  ['the end of its payment’s id', paymentId.slice(-6), 'order', orderId],
])('the search by %s (%s) finds the %s', async (_, q, type, id) => {
  expect(await items(`/v1/search?q=${encodeURIComponent(q)}`)).toContainEqual(
    expect.objectContaining({ type, id, found: null }),
  );
});

test('a search with an unknown operator is refused with the possible operators', async () => {
  for (const path of [
    'search?q=payer:x',
    'payments?search=payer:x',
    'payments.csv?search=payer:x',
  ]) {
    const { status, body } = await viewer.get(`/v1/${path}`);
    expect([path, status, body['errors']]).toEqual([
      path,
      422,
      [{ detail: expect.stringMatching(/use one of status:, amount:, /), parameter: 'search' }],
    ]);
  }
});

test('a search that only some lists understand is not refused, even if it finds nothing', async () => {
  expect(
    await items(`/v1/search?q=${encodeURIComponent('status:captured amount:>99999')}`),
  ).toEqual([]);
});

const PAGING = ['cursor', 'limit', 'sort', 'direction'];
/** The lists with amounts. */
const TOTALED = ['orders', 'payments', 'payouts'];

/** The amounts of rows, added up by currency. */
const totalsOf = (rows: readonly Record<string, unknown>[]) =>
  [...new Set(rows.map(({ currency }) => String(currency)))].toSorted().map((currency) => {
    const own = rows.filter((row) => row['currency'] === currency);
    const amountMinor = own.reduce((sum, row) => sum + Number(row['amountMinor']), 0);
    return { currency, rows: own.length, amountMinor };
  });

test.each(Object.entries(LISTS))(
  'the list %s has filters that apply to its pages, its totals and its downloaded file',
  async (list, { row, by, past, isExported }) => {
    const { parameters } = openApiDocument(admin.http.app).paths[`/v1/${list}`]?.get ?? {};
    const names = (parameters ?? []).flatMap((one) => ('name' in one ? one.name : []));
    expect(
      [...new Set(by.flatMap((query) => [...new URLSearchParams(query).keys()]))].toSorted(),
    ).toEqual(names.filter((name) => !PAGING.includes(name)).toSorted());
    const exported = async (query: string): Promise<readonly string[]> => {
      const { status, text, headers } = await operator.get(`/v1/${list}.csv?${query}`);
      expect([query, status]).toEqual([query, 200]);
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
      return text.trim().split('\r\n').slice(1);
    };
    for (const query of by) {
      const found = await items(`/v1/${list}?${query}`);
      expect([query, found]).toEqual([query, [expect.objectContaining(row)]]);
      if (TOTALED.includes(list)) {
        const { body } = await viewer.get(`/v1/${list}/totals?${query}`);
        expect([query, body]).toEqual([query, { currencies: totalsOf(found) }]);
      }
      if (!isExported) continue;
      const lines = await exported(query);
      expect([query, lines]).toEqual([query, [expect.stringContaining(Object.values(row).join())]]);
    }
    if (past === undefined) return;
    expect(await items(`/v1/${list}?${past}`)).toEqual([]);
    if (isExported) expect(await exported(past)).toEqual([]);
  },
);

test('the totals of a list count all its rows and add up their amounts, by currency', async () => {
  const rows = await items('/v1/orders?limit=200');
  const { body } = await viewer.get('/v1/orders/totals');
  expect(body).toEqual({ currencies: totalsOf(rows) });
  expect(rows.length).toBeGreaterThan(100);
});

test('totals of too many rows are not computed', async () => {
  const lists = admin.http.app.get(Lists);
  const { length } = await items('/v1/orders?limit=200');
  const totals = (most: number) => lists.totals(ORDER_LIST, EVERYTHING, {}, most);
  expect((await totals(length)).currencies).not.toBeNull();
  expect(await totals(length - 1)).toEqual({ currencies: null });
});

test('payouts are filtered by calendar days: an instant or an invalid day is refused', async () => {
  for (const day of ['2026-01-19T23:00:00.000Z', '2026-02-30', 'monday']) {
    expect([day, (await viewer.get(`/v1/payouts?from=${day}`)).status]).toEqual([day, 422]);
  }
});

describe('an order with a failed checkout reaction', () => {
  const ref = { saga: 'checkout', key: orderId };

  beforeEach(() =>
    admin.pool.query(
      `INSERT INTO sagas (saga, key, version, state, done, waiting, retry_at, failing_since)
     VALUES ('checkout', $1, 1, '{"status": "none"}', false, jsonb_build_object('attempts', 8,
             'error', 'it broke', 'stimuli', jsonb_build_array(
               jsonb_build_object('from', 'event', 'streamType', 'order', 'streamId', $1::text,
                                  'version', 1),
               jsonb_build_object('from', 'deadline', 'kind', 'checkout.expiry',
                                  'dueAt', '2030-01-01T00:00:00.000Z'))),
             'infinity', now())`,
      [orderId],
    ),
  );
  afterEach(() => admin.pool.query('DELETE FROM sagas'));

  const eventId = async (): Promise<unknown> =>
    (
      await admin.pool.query<{ id: string }>(
        `SELECT event_id::text AS id FROM events WHERE stream_id = $1 AND version = 1`,
        [orderId],
      )
    ).rows[0]?.id;

  test('is listed as blocked, with the event and the error', async () => {
    expect(await items('/v1/failed-reactions')).toEqual([
      {
        ...ref,
        stimulus: await eventId(),
        deadline: null,
        event: { streamType: 'order', streamId: orderId, version: 1, type: 'OrderPlaced' },
        waiting: 2,
        attempts: 8,
        error: 'it broke',
        retryAt: null,
        failingSince: expect.any(String),
      },
    ]);
    expect(await items('/v1/case-totals')).toContainEqual(
      expect.objectContaining({ kind: 'failed_reaction', cases: 1 }),
    );
  });

  test('is listed with the time of the next retry while retries continue', async () => {
    await admin.pool.query(`UPDATE sagas SET retry_at = '2030-01-02'`);
    expect(await items('/v1/failed-reactions')).toMatchObject([
      { ...ref, retryAt: '2030-01-02T00:00:00.000Z' },
    ]);
    const entries = await items(`/v1/entities/order/${orderId}/timeline`);
    expect(entries.find(({ kind }) => kind === 'saga')).toMatchObject({
      name: 'checkout',
      data: { waiting: { attempts: 8 }, retryAt: expect.any(String) },
    });
  });

  test('an order whose reaction an operator has discarded is listed with the error, the reason and the operator', async () => {
    const waiting = new WaitingSagas(admin.pool);
    const why = { reason: 'the payer was informed by letter', actor: 'user:ann' };
    await inTransaction(admin.pool, async (client) =>
      waiting.discard(client, { ref, stimulus: String(await eventId()), ...why }),
    );
    expect(await items('/v1/discarded-reactions')).toMatchObject([
      {
        ...ref,
        streamType: 'order',
        streamId: orderId,
        version: 1,
        stimulus: 'OrderPlaced',
        error: 'it broke',
        ...why,
      },
    ]);
    expect(await items('/v1/failed-reactions')).toMatchObject([
      {
        ...ref,
        stimulus: 'checkout.expiry@2030-01-01T00:00:00.000Z',
        event: null,
        deadline: 'checkout.expiry',
        waiting: 1,
        attempts: 0,
      },
    ]);
  });
});

test('the page of an order shows everything recorded about the order and its payment', async () => {
  const entries = await items(`/v1/entities/order/${orderId}/timeline`);
  expect(entries.map(({ kind, name }) => `${String(kind)} ${String(name)}`).toSorted()).toEqual([
    'call GET /v2/payment_intents/{id}',
    'call POST /made',
    'call POST /made',
    'call POST /made',
    'deadline payment.read',
    'event IntentCreated',
    'event IntentRequested',
    'event OrderPaymentStarted',
    'event OrderPlaced',
    'job create_intent',
    'webhook payment.authorized',
  ]);
  const times = entries.map((entry) => String(entry['at']));
  expect(times).toEqual(times.toSorted());
  const traceUrl = `https://traces.example/${traceId}`;
  for (const { kind, ...entry } of entries) {
    const trace = kind === 'event' ? { traceId, traceUrl } : { traceId: null, traceUrl: null };
    expect(entry).toMatchObject(trace);
  }
});

test('the page of an order shows the user actions on the order’s provider requests, webhooks and reconciliation breaks', async () => {
  const { pool } = admin;
  await pool.query(
    `INSERT INTO reconciliation_exceptions
       (exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id, payment_id,
        currency, amount_minor, expected, observed, since, found_at, closed_at, closed_by)
     VALUES ('exc_timeline', 'missing', 'acc_1', 'shop', 'm1', 'payment', 'paym_1', $1, 'eur', 1250,
        '', '', now(), now(), now(), 'user:ann')`,
    [paymentId],
  );
  const { rowCount } = await pool.query(
    `INSERT INTO audit (actor, action, subject_type, subject_id, request_id)
     SELECT 'user:ann', 'action.done', type, id, 'req' FROM (
       SELECT 'job', key FROM jobs WHERE subject_id = $1
        UNION ALL SELECT 'exception', 'exc_timeline'
        UNION ALL SELECT 'webhook', id::text FROM webhooks_received WHERE intent_id = $2
        UNION ALL SELECT 'job', gen_random_uuid()::text) AS subject(type, id)`,
    [paymentId, intentId],
  );
  expect(rowCount).toBe(4);
  for (const path of [`order/${orderId}`, `payment/${paymentId}`]) {
    const entries = await items(`/v1/entities/${path}/timeline`);
    const people = entries.filter(({ kind }) => kind === 'audit');
    expect(people.map(({ subjectType }) => subjectType).toSorted()).toEqual([
      'exception',
      'job',
      'webhook',
    ]);
  }
});

test('requests and user actions appear in a timeline at their business time', async () => {
  const {
    rows: [call],
  } = await admin.pool.query<{ id: string; businessAt: Date }>(
    `INSERT INTO api_requests (at, business_at, method, path, object_id, status, duration_ms)
     VALUES (now() + '1 minute', now() + '8 days', 'GET', '/later', $1, 200, 12)
     RETURNING id::text, business_at AS "businessAt"`,
    [intentId],
  );
  await admin.pool.query(
    `INSERT INTO audit (at, actor, action, subject_type, subject_id, request_id)
     VALUES (now() + '50 seconds', 'user:ann', 'later.asked', 'payment', $1, 'req')`,
    [paymentId],
  );
  const entries = await items(`/v1/entities/payment/${paymentId}/timeline`);
  await admin.pool.query('DELETE FROM api_requests WHERE id = $1', [call?.id]);
  expect(entries.slice(-2).map(({ name }) => name)).toEqual(['later.asked', 'GET /later']);
  expect(entries.at(-1)).toMatchObject({ at: call?.businessAt.toISOString() });
});

test('the events of a stream are in log order even if the clock of the second process was behind', async () => {
  const moveBy = (interval: string) =>
    admin.pool.query(
      `UPDATE events SET data = jsonb_set(data::jsonb, '{at}', to_jsonb(to_char(
           (data ->> 'at')::timestamptz AT TIME ZONE 'UTC' + $2::interval,
           'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::json
        WHERE stream_id = $1 AND version = 2`,
      [paymentId, interval],
    );
  await moveBy('-1 minute');
  const entries = await items(`/v1/entities/payment/${paymentId}/timeline`);
  await moveBy('1 minute');
  const events = entries.filter(({ kind }) => kind === 'event').map(({ version }) => version);
  expect(events).toEqual([1, 2]);
});

test('the state of an entity can be read as of any event of the entity', async () => {
  const now = await viewer.get(`/v1/entities/payment/${paymentId}`);
  expect(now.body).toMatchObject({ version: 2, state: { status: 'open', intentId } });
  const before = await viewer.get(`/v1/entities/payment/${paymentId}?version=1`);
  expect(before.body).toMatchObject({ version: 1, state: { status: 'requested' } });
});

test('a request for an entity that does not exist gets a 404 response', async () => {
  for (const path of [`order/${newId('ord')}`, 'order/none/timeline', 'card/x']) {
    expect((await viewer.get(`/v1/entities/${path}`)).status).toBe(404);
  }
});

test('the overview shows the approvals, the oldest open orders and the requests to the provider', async () => {
  const { status, body } = await viewer.get('/v1/overview');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    mode: 'live',
    approvals: 0,
    provider: [
      { operation: 'other', route: 'POST /made', calls: 3, failures: 0, refused: 2 },
      {
        operation: 'read_intent',
        route: 'GET /v2/payment_intents/{id}',
        calls: 1,
        failures: 0,
        refused: 0,
      },
    ],
  });
  expect((body['oldestOpen'] as unknown[]).length).toBe(1);
});

test('the queues page shows the lag of each consumer of the event log', async () => {
  const { body } = await viewer.get('/v1/queues');
  expect(body).toMatchObject({
    calls: [{ state: 'ready', count: 1 }],
    webhooks: { count: 1 },
    deadlines: [{ kind: 'payment.read', waiting: 1 }],
  });
});

test('a downloaded file contains the whole list', async () => {
  const { text, headers } = await viewer.get('/v1/orders.csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(text.trim().split('\r\n')).toHaveLength(123);
});

test.each([
  ['=cmd()', `'=cmd()`],
  ['@cmd', `'@cmd`],
  ['-1+1', `'-1+1`],
  ['-1.5e3', `'-1.5e3`],
  ['-12', '-12'],
  ['-12.50', '-12.50'],
  ['12-1', '12-1'],
])(
  'the cell %s becomes %s in a downloaded file, so that spreadsheets do not run the cell as a formula',
  async (reference, cell) => {
    await admin.pool.query('UPDATE order_list SET reference = $2 WHERE order_id = $1', [
      orderId,
      reference,
    ]);
    const { text } = await viewer.get('/v1/orders.csv');
    expect(text.split('\r\n')[1]).toContain(`,${cell},`);
  },
);

test('a downloaded file of selected rows contains only these rows', async () => {
  const fileOf = async (path: string) => (await operator.get(`/v1/${path}`)).text.trim();
  for (const list of ['orders', 'ledger-entries', 'audit']) {
    const [header = '', ...lines] = (await fileOf(`${list}.csv`)).split('\r\n');
    const last = lines.at(-1) ?? '';
    const place = header.split(',').indexOf(list === 'ledger-entries' ? 'eventId' : 'id');
    const id = last.split(',')[place];
    expect([list, await fileOf(`${list}.csv?ids=${id}`)]).toEqual([list, `${header}\r\n${last}`]);
    expect(lines.length).toBeGreaterThan(1);
    expect((await operator.get(`/v1/${list}.csv?ids=${id}&ids=%20`)).status).toBe(422);
  }
  const many = Array.from({ length: 201 }, (_, n) => `ids=ord_${n}`).join('&');
  expect((await operator.get(`/v1/orders.csv?${many}`)).status).toBe(422);
});

describe('a file made in the background', () => {
  let limits: { pageRows: number; maxRows: number };

  beforeAll(() => {
    limits = admin.http.app.get(EXPORT_LIMITS);
    limits.pageRows = 50;
  });
  afterEach(() => admin.pool.query('DELETE FROM admin_exports'));

  const requested = async (path: string): Promise<string> => {
    const { status, body } = await operator.post(`/v1/${path}`);
    expect([path, status]).toEqual([path, 202]);
    return String(body['id']);
  };
  const exportOf = async (id: string) => {
    const { body } = await operator.get('/v1/exports');
    return (body['items'] as Record<string, unknown>[]).find((one) => one['id'] === id);
  };
  const ended = async (id: string) => {
    for (;;) {
      const one = await exportOf(id);
      if (one?.['state'] !== 'running') return one;
      await pause(20);
    }
  };
  const fileOf = (id: string) => operator.get(`/v1/exports/${id}/file`);

  test.each([
    'status=open&sort=created&direction=asc',
    'sort=updated&direction=asc',
    'status=paid&status=open',
    'from=2100-01-01T00:00:00Z',
  ])('has the same rows as an immediately downloaded file: %s', async (query) => {
    const id = await requested(`orders/exports?${query}`);
    const { text: immediate } = await operator.get(`/v1/orders.csv?${query}`);
    const rows = immediate.trim().split('\r\n').length - 1;
    const bytes = Buffer.byteLength(immediate);
    expect(await ended(id)).toMatchObject({ state: 'ready', failure: null, rows, bytes });
    const { text, headers } = await fileOf(id);
    expect(text).toBe(immediate);
    expect(headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
  });

  test('can be downloaded only by the user who requested the file; the request is in the audit log', async () => {
    const id = await requested('orders/exports?currency=eur');
    await ended(id);
    expect((await viewer.get('/v1/exports')).body).toEqual({ items: [] });
    expect((await viewer.get(`/v1/exports/${id}/file`)).status).toBe(404);
    expect((await viewer.call('DELETE', `/v1/exports/${id}`)).status).toBe(404);
    expect((await viewer.post('/v1/audit/exports')).status).toBe(403);
    const { rows } = await admin.pool.query(
      `SELECT action, detail FROM audit WHERE detail ->> 'exportId' = $1`,
      [id],
    );
    expect(rows).toEqual([
      { action: 'orders.exported', detail: { currency: 'eur', format: 'csv', exportId: id } },
    ]);
    expect((await operator.call('DELETE', `/v1/exports/${id}`)).status).toBe(204);
    expect((await fileOf(id)).status).toBe(404);
  });

  test('is audited without the words of a search and without an email address in a filter', async () => {
    const query = 'search=ann%40example.com&reference=bob%40example.com&currency=eur';
    await operator.get(`/v1/orders.csv?${query}`);
    await ended(await requested(`orders/exports?${query}`));
    const { rows } = await admin.pool.query<{ detail: unknown }>(
      `SELECT detail - 'exportId' AS detail FROM audit
        WHERE action = 'orders.exported' ORDER BY id DESC LIMIT 2`,
    );
    const detail = { currency: 'eur', reference: '[removed]', searched: true, format: 'csv' };
    expect(rows).toEqual([{ detail }, { detail }]);
  });

  test('is audited with the order that the file has', async () => {
    await operator.get('/v1/orders.csv?sort=updated');
    await ended(await requested('orders/exports?sort=updated'));
    await operator.get('/v1/orders.csv?sort=created');
    const { rows } = await admin.pool.query<{ sort: string | null }>(
      `SELECT detail ->> 'sort' AS sort FROM audit
        WHERE action = 'orders.exported' ORDER BY id DESC LIMIT 3`,
    );
    expect(rows).toEqual([{ sort: 'created' }, { sort: null }, { sort: null }]);
  });

  test('is continued by another process after the page at which its process was killed', async () => {
    const id = await requested('orders/exports');
    await ended(id);
    const { text: whole } = await fileOf(id);
    const { body } = await viewer.get('/v1/orders?limit=50');
    // Simulates a process that was killed after it had written the first page.
    await admin.pool.query('DELETE FROM admin_export_chunks WHERE export_id = $1 AND number > 0', [
      id,
    ]);
    const killed = { id, claim: randomUUID(), list: 'orders', query: {}, cursor: null, rows: 50 };
    await admin.pool.query(
      `UPDATE admin_exports SET state = 'running', row_count = 50, chunks = 1, next_cursor = $2,
              claim = $3, held_until = clock_timestamp() + interval '1 hour',
              bytes = (SELECT sum(octet_length(text)) FROM admin_export_chunks WHERE export_id = $1)
        WHERE id = $1`,
      [id, body['nextCursor'], killed.claim],
    );
    expect((await fileOf(id)).status).toBe(409);
    expect(await exportOf(id)).toMatchObject({ state: 'running', rows: 50 });
    await admin.pool.query('UPDATE admin_exports SET held_until = clock_timestamp()');
    admin.http.app.get(ExportRunner).wake();
    await ended(id);
    expect((await fileOf(id)).text).toBe(whole);
    const chunk = { text: 'late', rows: 1, nextCursor: null };
    expect(await new ExportClaims(admin.pool).add(killed, chunk)).toBe(false);
  });

  test('fails when too many rows match, or when several processes could not finish the file', async () => {
    limits.maxRows = 100;
    const tooMany = await requested('orders/exports');
    expect(await ended(tooMany)).toMatchObject({ state: 'failed', failure: 'too_many_rows' });
    limits.maxRows = 1_000;
    const failing = await requested('orders/exports');
    await ended(failing);
    await admin.pool.query(
      `UPDATE admin_exports SET state = 'running', attempts = 5, held_until = NULL WHERE id = $1`,
      [failing],
    );
    admin.http.app.get(ExportRunner).wake();
    expect(await ended(failing)).toMatchObject({ state: 'failed', failure: 'error' });
    const { rows } = await admin.pool.query(
      'SELECT count(*)::int AS chunks FROM admin_export_chunks',
    );
    expect(rows).toEqual([{ chunks: 0 }]);
  });

  test('is deleted after seven days, and a user keeps at most ten', async () => {
    const first = await requested('orders/exports');
    for (let n = 1; n < 10; n += 1) await requested('orders/exports?status=paid');
    expect(await operator.post('/v1/orders/exports')).toMatchObject({
      status: 409,
      body: { code: 'too_many_exports' },
    });
    await ended(first);
    const age = `requested_at = requested_at - interval '7 days'`;
    await admin.pool.query(
      `UPDATE admin_exports SET ${age}, expires_at = expires_at - interval '7 days' WHERE id = $1`,
      [first],
    );
    expect((await fileOf(first)).status).toBe(404);
    const next = await requested('orders/exports?status=open');
    await ended(next);
    const { rows } = await admin.pool.query('SELECT FROM admin_exports WHERE id = $1', [first]);
    expect(rows).toEqual([]);
  });
});

/** Books the correction of a line. */
const correct = (payoutId: string, lineId: string, amountMinor: number, feesMinor: number) =>
  admin.pool.query(
    `INSERT INTO ledger_journal SELECT gen_random_uuid(), 'payment_correction', $2, $1, 'acc_1',
       'shop', 'eur', $3::bigint, 0 - $3, $3 - $4::bigint, 0, $4, 0, 0, now()`,
    [payoutId, lineId, amountMinor, feesMinor],
  );

test('payout lines show their ledger entries and breaks', async () => {
  await admin.pool.query(
    `INSERT INTO payout_lines SELECT 'pout_1', 'payment', 'paym_' || n, 'acc_1', 'paym_' || n,
       $1, $1 || n, 'card', 'eur', 1000, 14 FROM generate_series(1, 3) AS n`,
    [paymentId],
  );
  await admin.pool.query(
    `INSERT INTO ledger_journal SELECT gen_random_uuid(), 'payment', $1 || n, $1, 'acc_1', 'shop',
       'eur', 1000, -1000, 986, 0, 14, 0, 0, now() FROM generate_series(1, 2) AS n`,
    [paymentId],
  );
  await admin.pool.query(
    `INSERT INTO reconciliation_exceptions
     SELECT 'exc_' || kind, kind, 'acc_1', 'shop', 'm1', of, id, NULL, 'pout_1', 'eur', 1000,
            'ours', 'theirs', now(), now()
       FROM (VALUES ('unknown', 'payment', 'paym_3'), ('fee', 'payout', 'pout_1'))
         AS found(kind, of, id)`,
  );
  const { body } = await viewer.get('/v1/payouts/pout_1/lines?limit=2');
  const entry = { paymentId, currency: 'eur', amountMinor: 1_000, feeMinor: 14 };
  expect(body).toMatchObject({
    items: [
      { objectId: 'paym_1', entry, exceptions: [] },
      { objectId: 'paym_2', entry },
    ],
    ofFigures: [{ kind: 'fee', expected: 'ours', observed: 'theirs' }],
  });
  expect(
    await items(`/v1/payouts/pout_1/lines?cursor=${String(body['nextCursor'])}`),
  ).toMatchObject([{ objectId: 'paym_3', entry: null, exceptions: [{ kind: 'unknown' }] }]);
  expect(await items('/v1/payouts/pout_1/lines?differing=true')).toHaveLength(1);
  // Operators accept two lines.
  await correct('pout_1', 'paym_2', 0, 3);
  await correct('pout_1', 'paym_3', 1_000, 14);
  expect(await items('/v1/payouts/pout_1/lines')).toMatchObject([
    { objectId: 'paym_1', entry },
    { objectId: 'paym_2', entry: { ...entry, feeMinor: 17 } },
    { objectId: 'paym_3', entry: { ...entry, paymentId: null } },
  ]);
  expect((await viewer.get('/v1/payouts/pout_1/lines?cursor=nonsense')).status).toBe(422);
});

test('the summary of a payment contains its order’s reference, its fees and its payouts', async () => {
  const summary = `/v1/payments/${paymentId}/summary`;
  expect((await viewer.get(summary)).body).toEqual({
    reference: 'A-1001',
    merchantId: 'm1',
    merchantName: null,
    feesMinor: null,
    netMinor: null,
    payouts: [],
  });
  // A ledger entry of another payment with the same object id is not counted.
  await admin.pool.query(
    `INSERT INTO ledger_journal SELECT gen_random_uuid(), 'payment', $1, stream, 'acc_1', 'shop',
       'eur', 1250, -1250, 1234, 0, 16, 0, 0, now() FROM unnest(ARRAY[$1, 'pay_other']) AS stream`,
    [paymentId],
  );
  await admin.pool.query(
    `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference,
       currency, amount_minor, fees_minor, fees_vat_minor, date, status, totals, lines_read,
       mismatches, version)
     SELECT id, 'acc_1', 'shop', 'm1', 'test', id, 'eur', 1234, 16, 3, '2026-03-03', 'paid', '{}',
            true, 0, 1 FROM unnest(ARRAY['pout_of', 'pout_other']) AS id`,
  );
  await admin.pool.query(
    `INSERT INTO payout_lines SELECT 'pout_of', 'payment', 'paym_1', 'acc_1', 'paym_1', $1, $1,
       'card', 'eur', 1250, 16`,
    [paymentId],
  );
  expect((await viewer.get(summary)).body).toMatchObject({
    feesMinor: 16,
    netMinor: 1_234,
    payouts: [{ payoutId: 'pout_of', status: 'paid', date: '2026-03-03' }],
  });
  // Corrections of its lines count too, and of no other line.
  await correct('pout_of', 'paym_1', 0, 3);
  await correct('pout_other', 'paym_1', 0, 5);
  expect((await viewer.get(summary)).body).toMatchObject({ feesMinor: 19, netMinor: 1_231 });
  expect((await viewer.get('/v1/payments/pay_none/summary')).status).toBe(404);
});

test('the summary of a payment as of an earlier event contains the ledger entries and the payouts of that time', async () => {
  const summary = async (query: string) =>
    (await viewer.get(`/v1/payments/${paymentId}/summary${query}`)).body;
  const observed = async (status: string, atMs: number) =>
    admin.store.execute(
      payoutAggregate,
      'pout_of',
      {
        type: 'ObservePayout',
        at: instantFromMs(atMs),
        account: { accountId: 'acc_1', platformId: 'shop', merchantId: 'm1', mode: 'test' },
        observation: { ...PAYOUT, status },
      },
      { correlationId: 'pout_of', causationId: 'spec', actor: 'provider', traceparent: null },
    );
  await observed('pending', Date.now() - 3_600_000);
  await observed('paid', Date.now() + 3_600_000);
  await admin.pool.query(
    `INSERT INTO ledger_journal SELECT event_id, 'payment', $1, $1, 'acc_1', 'shop', 'eur', 100, -100,
       91, 0, 9, 0, 0, now() FROM events WHERE stream_id = $1 AND version = 2`,
    [paymentId],
  );
  const pending = { payoutId: 'pout_of', status: 'pending', date: '2026-03-03' };
  expect([await summary('?version=1'), await summary('?version=2')]).toMatchObject([
    { reference: 'A-1001', feesMinor: null, netMinor: null, payouts: [] },
    { reference: 'A-1001', feesMinor: 9, netMinor: 91, payouts: [pending] },
  ]);
  expect(await summary('')).toMatchObject({ feesMinor: 28, payouts: [{ status: 'paid' }] });
  expect((await viewer.get(`/v1/payments/${paymentId}/summary?version=0`)).status).toBe(422);
});

test('a late payout shows the balance of its provider account', async () => {
  await admin.pool.query(
    `INSERT INTO reconciliation_exceptions
       (exception_id, kind, account_id, platform_id, merchant_id, line_kind, object_id, currency,
        amount_minor, expected, observed, since, found_at)
     SELECT 'exc_' || account, 'late', account, 'till', 'm1', 'payment', 'paym_9', 'eur', 1250,
            'in a payout by 2026-01-02', 'in none', now(), now()
       FROM unnest(ARRAY['acc_below', 'acc_new']) AS account`,
  );
  await admin.pool.query(
    `INSERT INTO ledger_balances VALUES ('till', 'acc_below', 'eur', 0, -2709, 2709, 0, 0, 0),
                                        ('till', 'acc_below', 'usd', 0, 5, -5, 0, 0, 0),
                                        ('other', 'acc_below', 'eur', 0, 7, -7, 0, 0, 0)`,
  );
  const found = await items('/v1/exceptions?kind=late&platformId=till');
  expect(found.map(({ accountId, balanceMinor }) => [accountId, balanceMinor]).toSorted()).toEqual([
    ['acc_below', -2_709],
    ['acc_new', null],
  ]);
});

describe('secrets and personal data', () => {
  const KEY = 'stest_thisIsNoKeyOfAnybody77';
  const HASH = 'a hash of thirty-two bytes, no more';
  const planted = [KEY, HASH];

  /** The forms in which a secret may appear: as text, and as serialised bytes. */
  const shapesOf = (secret: string): readonly string[] => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString('hex'), bytes.toString('base64'), [...bytes].join(',')];
  };

  const addressOf = (path: string): string =>
    path.replace('{type}', 'order').replace('{id}', path.includes('payouts') ? 'pout_1' : orderId);

  test('appear in no page, list or downloaded file of the console', async () => {
    const { pool } = admin;
    await pool.query(
      `INSERT INTO provider_accounts
         (id, platform_id, merchant_id, mode, api_key_sealed, webhook_secret_sealed)
       VALUES ('acc_1', 'shop', 'm1', 'test', $1, $1)`,
      [Buffer.from(KEY)],
    );
    await pool.query(
      `INSERT INTO api_keys (prefix, platform_id, hash, scopes) VALUES ('po_1', 'shop', $1, '{}')`,
      [Buffer.from(HASH)],
    );
    const boss = await admin.signedIn('admin');
    const paths = Object.entries(openApiDocument(admin.http.app).paths)
      .filter(([path, operations]) => 'get' in operations && path !== '/v1/session')
      .map(([path]) => addressOf(path));
    expect(paths.length).toBeGreaterThan(20);
    const needles = [...planted.flatMap(shapesOf), '$argon2', boss.csrfToken];
    for (const path of paths) {
      const { status, text } = await boss.get(path);
      expect([path, status < 500]).toEqual([path, true]);
      expect([path, needles.filter((needle) => text.includes(needle))]).toEqual([path, []]);
    }
    expect((await boss.get('/v1/provider-accounts')).text).toContain('acc_1');
    expect((await boss.get('/v1/api-keys')).text).toContain('po_1');
    expect((await boss.get('/v1/webhooks')).text).toContain('evt_1');
  });
});
