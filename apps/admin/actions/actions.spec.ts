import { instantFromMs, newId, wallClock } from '#kernel';
import { merchantAggregate, type MerchantCommand } from '#onboarding';
import { orderAggregate } from '#order';
import { payoutAggregate } from '#payout';
import type { Capabilities } from '#psp';
import type { AdminFixture } from '../admin.fixture.js';
import { captureIs, paymentGoes, refundIs } from '../cases/cases.fixture.js';
import { REPAIR_KINDS } from './action.js';
import { ActionBench } from './actions.fixture.js';
import { differingFee } from './breaks.fixture.js';
import { openDeliveries } from './deliveries.fixture.js';
import { moneyActions } from './money-actions.js';
import { approve, ask, daysAgo, MONEY, pathOf, type Person, reason } from './requests.fixture.js';

const OTHERS = REPAIR_KINDS.filter((kind) => !MONEY.includes(kind));

let admin: AdminFixture;
let bench: ActionBench;
let jane: Person;
let john: Person;

beforeAll(async () => {
  bench = await ActionBench.start();
  ({ admin } = bench);
  [jane, john] = await Promise.all([admin.signedIn('operator'), admin.signedIn('operator')]);
});

afterAll(() => bench.stop());

/** Reads all rows that an action could change. */
const changes = async (): Promise<unknown> => {
  const tables = [
    'events',
    'sagas',
    'discarded_reactions',
    'reconciliation_exceptions',
    'projection_rebuilds',
    'history_watermarks',
    'jobs',
    'webhooks_received',
    'webhook_deliveries',
    'admin_actions',
  ];
  const found = await Promise.all(
    tables.map((table) =>
      admin.pool.query(`SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM ${table} t`),
    ),
  );
  return found.map(({ rows }) => rows as unknown);
};

test.each(REPAIR_KINDS)(
  'a preview of %s shows the action’s effect and changes nothing',
  async (kind) => {
    const target = await bench.targetFor(kind);
    const before = await changes();
    const answer = await jane.post('/v1/actions/dry-run', { kind, target, reason });
    expect(answer).toMatchObject({ status: 200 });
    const { events, calls, follows, notes } = answer.body as Record<string, readonly unknown[]>;
    expect([events, calls, follows, notes].flat().length).toBeGreaterThan(0);
    expect(await changes()).toEqual(before);
  },
);

test.each([
  ['capture', ['CaptureRequested'], ['capture']],
  ['cancel', ['OrderCancellationRequested', 'CancelRequested'], ['cancel']],
  ['refund', ['RefundRequested'], ['refund']],
  ['resolve_result', ['CaptureAccepted', 'OrderPaid'], ['intent_read']],
  ['switch_account', ['ProviderAccountApproved'], []],
  ['disable_account', ['ProviderAccountDisabled'], []],
  ['withdraw_account', ['ProviderAccountDisabled'], []],
  ['disable_endpoint', ['WebhookEndpointDisabled'], []],
  ['enable_endpoint', ['WebhookEndpointEnabled'], []],
  ['accept_line', ['PayoutLineCorrected'], []],
] as const)(
  'the preview of %s shows the events and provider requests of the action',
  async (kind, types, calls) => {
    const target = await bench.targetFor(kind);
    const { body } = await jane.post('/v1/actions/dry-run', { kind, target, reason });
    expect((body['events'] as { type: string }[]).map(({ type }) => type)).toEqual(types);
    for (const call of calls) expect(JSON.stringify(body['calls'])).toContain(call);
  },
);

/** The preview includes requests that a worker will send later. */
test.each([
  ['retry_reaction', 'reaction_retried'],
  ['discard_reaction', 'later_reactions_run'],
  ['retry_request', 'call_searched'],
  ['poll_history', 'history_read_from'],
  ['poll_account', 'account_read'],
  ['reprocess_webhook', 'webhook_read'],
  ['redeliver_webhooks', 'webhooks_sent'],
] as const)('the preview of %s shows the requests that workers will send', async (kind, code) => {
  const target = await bench.targetFor(kind);
  const { body } = await jane.post('/v1/actions/dry-run', { kind, target, reason });
  expect(body).toMatchObject({ calls: [], follows: [{ code }] });
});

test('the preview of an action that creates a payment omits the payment’s id, so that repeated previews have the same digest', async () => {
  const { orderId, paymentId: subjectId } = await bench.payment('authorized');
  bench.provider.intent = { ...bench.provider.intent, status: 'canceled' };
  const request = { kind: 'refresh', target: { subjectId }, reason };
  const {
    body: { events, digest },
  } = await jane.post('/v1/actions/dry-run', request);
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'PaymentCanceled', streamId: subjectId }),
      expect.objectContaining({ type: 'OrderPaymentStarted', streamId: orderId }),
      expect.objectContaining({ type: 'IntentRequested', streamId: 'pay_…' }),
    ]),
  );
  expect(await jane.post('/v1/actions', { ...request, seen: digest })).toMatchObject({
    status: 201,
    body: { status: 'done' },
  });
  const { state } = await admin.store.load(orderAggregate, orderId);
  expect(state).toMatchObject({ payments: [subjectId, expect.stringMatching(/^pay_\w{24}$/)] });
});

test('the preview of a new request for a failed refund shows the other refunds of the same amount', async () => {
  const kind = 'reissue_refund';
  const target = await bench.targetFor(kind);
  const notes = async () =>
    (await jane.post('/v1/actions/dry-run', { kind, target, reason })).body['notes'];
  expect(await notes()).toEqual([]);
  await paymentGoes(admin, target.subjectId, {
    type: 'RequestRefund',
    requestId: newId('rfr'),
    amountMinor: 500,
    reference: 'R-2',
    reason: null,
    at: instantFromMs(Date.now()),
  });
  await refundIs(admin, target.subjectId, 'refund_sent');
  expect(await notes()).toEqual([
    { code: 'equal_refunds', count: 1, amountMinor: 500, currency: 'eur' },
  ]);
});

test('a payment whose authorization was missed is refreshed as previewed: the preview omits the id of its new capture', async () => {
  const { paymentId: subjectId } = await bench.payment('open', 'automatic');
  const { provider } = bench;
  const attempt = {
    id: newId('paym'),
    status: 'authorized',
    amount: 1_250,
    currency: 'eur',
    created: Math.floor(Date.now() / 1_000),
    method: 'card',
    response: '00',
  };
  provider.attempts = [attempt];
  provider.intent = { ...provider.intent, status: 'authorized', payment: attempt.id };
  const request = { kind: 'refresh', target: { subjectId }, reason };
  const { body } = await jane.post('/v1/actions/dry-run', request);
  expect(body['events']).toContainEqual(
    expect.objectContaining({
      type: 'CaptureRequested',
      data: expect.objectContaining({ captureId: 'cap_…' }),
    }),
  );
  const done = await jane.post('/v1/actions', { ...request, seen: body['digest'] });
  provider.attempts = [];
  expect(done).toMatchObject({ status: 201, body: { status: 'done' } });
});

test('the preview of a refund shows the number of refunds of the payment requested within the last day', async () => {
  const first = await ask(jane, 'refund', await bench.targetFor('refund'));
  const target = await bench.targetFor('refund');
  await admin.pool.query(
    `UPDATE admin_actions SET status = 'done', ended_at = now(), subject_id = $2 WHERE id = $1`,
    [first.body['id'], target.subjectId],
  );
  const { body } = await jane.post('/v1/actions/dry-run', { kind: 'refund', target, reason });
  expect(body['notes']).toEqual([{ code: 'recent_refunds', count: 1 }]);
});

test.each([
  ['capture', 1_250],
  ['refund', 500],
  ['resolve_result', 1_250],
  ['cancel', 1_250],
  ['retry_request', 1_250],
] as const)(
  'the request of the action %s shows the affected payment or order and the amount',
  async (kind, amountMinor) => {
    const target = await bench.targetFor(kind);
    const ofJob = await admin.pool.query<{ id: string }>(
      'SELECT subject_id AS id FROM jobs WHERE key = $1',
      [target.subjectId],
    );
    const about = {
      subjectType: kind === 'cancel' ? 'order' : 'payment',
      subjectId: ofJob.rows[0]?.id ?? target.subjectId,
      amountMinor,
      ofMinor: 1_250,
      currency: 'eur',
    };
    const dryRun = await jane.post('/v1/actions/dry-run', { kind, target, reason });
    expect(dryRun.body['about']).toEqual(about);
    // Even after the execution, the response shows the amount at the time of the request.
    const asked = await ask(jane, kind, target);
    expect(asked.body['about']).toEqual(about);
    if (asked.body['status'] === 'pending') {
      await approve(john, `/v1/actions/${String(asked.body['id'])}`);
    }
    const kept = await john.get(`/v1/actions/${String(asked.body['id'])}`);
    expect(kept.body).toMatchObject({ status: 'done', about });
  },
);

test('a refund action without an amount refunds the full remaining amount', async () => {
  const { amountMinor: _, ...target } = await bench.targetFor('refund');
  const { body } = await jane.post('/v1/actions/dry-run', { kind: 'refund', target, reason });
  expect(body['about']).toMatchObject({ amountMinor: 1_250, ofMinor: 1_250 });
});

test('a refund action without an amount refunds only what was captured', async () => {
  const { paymentId: subjectId } = await bench.payment('authorized');
  const captureId = newId('cap');
  const can = { partialCapture: true, multipleCapture: true };
  const part = { amountMinor: 750, can };
  const at = instantFromMs(Date.now());
  await paymentGoes(admin, subjectId, {
    type: 'RequestCapture',
    captureId,
    by: 'platform',
    part,
    at,
  });
  const shown = { reference: captureId, captureId: 'c1', amountMinor: 750, status: 'captured' };
  await captureIs(admin, subjectId, { captures: [shown] });
  const request = { kind: 'refund', target: { subjectId }, reason };
  const { body } = await jane.post('/v1/actions/dry-run', request);
  expect(body).toMatchObject({
    about: { amountMinor: 750, ofMinor: 1_250 },
    events: [{ type: 'RefundRequested', data: { amountMinor: 750 } }],
  });
});

test('a capture action captures the given amount, or is refused if the provider captures whole amounts only', async () => {
  const { paymentId: subjectId } = await bench.payment('authorized');
  const capture = (amountMinor: number) =>
    jane.post('/v1/actions/dry-run', {
      kind: 'capture',
      target: { subjectId, amountMinor },
      reason,
    });
  expect(await capture(1_250)).toMatchObject({ body: { about: { amountMinor: 1_250 } } });
  expect(await capture(600)).toMatchObject({ body: { code: 'capability_missing' } });
});

test('a capture action releases the rest of the authorization if its capture is final', async () => {
  const { paymentId: subjectId } = await bench.payment('authorized');
  const can = { partialCapture: true, multipleCapture: true } as Capabilities;
  const { capture } = moneyActions(admin, wallClock, {
    capabilitiesOf: async () => can,
    mustHave: async () => {},
  });
  const asked = { id: newId('act'), reason, actor: 'user:jane', approvedBy: null, private: null };
  const eventsOf = async (target: { readonly isFinal?: boolean }) =>
    (await capture.preview({ ...asked, target: { subjectId, amountMinor: 500, ...target } }))
      .events;
  const requested = { type: 'CaptureRequested', data: { amountMinor: 500 } };
  const released = { ...requested, data: { amountMinor: 500, isFinal: true } };
  expect(await eventsOf({ isFinal: true })).toMatchObject([released]);
  const [event] = await eventsOf({});
  expect(event).toMatchObject(requested);
  expect(event?.data).not.toHaveProperty('isFinal');
  const target = { subjectId, isFinal: true };
  expect(await jane.post('/v1/actions/dry-run', { kind: 'capture', target, reason })).toMatchObject(
    {
      status: 200,
    },
  );
});

test.each(['0026-06-01', '2026-02-30', daysAgo(402), daysAgo(-2), 'today'])(
  'a poll of the status history from the invalid day %s is refused',
  async (fromDay) => {
    const target = await bench.targetFor('poll_history');
    const before = await changes();
    expect(await ask(jane, 'poll_history', { ...target, fromDay })).toMatchObject({ status: 422 });
    expect(await changes()).toEqual(before);
  },
);

test.each([
  'refunded to DE89 3704 0044 0532 0130 00',
  'sent to jane@shop.test',
  'the key stest_abcd1234efgh',
  'card 4111 1111 1111 1111',
  'no',
])(
  'an action request with the reason «%s» is refused, and the reason is not stored',
  async (text) => {
    const target = await bench.targetFor('refund');
    const answer = await jane.post('/v1/actions', { kind: 'refund', target, reason: text });
    expect(answer.status).toBe(422);
  },
);

test('the reason of an action may contain the public prefix of an API key', async () => {
  const target = await bench.targetFor('refresh');
  const request = { kind: 'refresh', target, reason: 'po_3xKq0Zb7Yw2m stood in a public log' };
  expect((await jane.post('/v1/actions', request)).status).toBe(201);
  const whole = { ...request, reason: `po_3xKq0Zb7Yw2m_${'a'.repeat(32)} stood in a log` };
  expect((await jane.post('/v1/actions', whole)).status).toBe(422);
});

test.each(OTHERS)(
  'the action %s is executed without an approval, and its reason is in the audit log',
  async (kind) => {
    const target = await bench.targetFor(kind);
    const before = await changes();
    const done = await ask(jane, kind, target);
    expect(done).toMatchObject({ status: 201, body: { status: 'done' } });
    expect(await changes()).not.toEqual(before);
    expect(await bench.auditOf(done.body['id'])).toEqual([
      expect.objectContaining({ action: 'action.requested', reason }),
      expect.objectContaining({ action: 'action.done', reason }),
    ]);
  },
);

test.each(REPAIR_KINDS)(
  'the action %s on a subject that does not exist is rejected, and no action request is stored',
  async (kind) => {
    const before = await changes();
    const target = { subjectId: 'nothing_1', saga: 'checkout', stimulus: 'nothing' };
    const answer = await ask(jane, kind, target);
    expect([404, 409, 422]).toContain(answer.status);
    expect(await changes()).toEqual(before);
  },
);

describe('the acceptance of a payout line', () => {
  const accepted = async (subjectId: string) => {
    const [one, other] = await bench.pairFor('accept_line');
    return approve(other, pathOf(await ask(one, 'accept_line', { subjectId })));
  };
  const isOpen = async (id: string) => {
    const { rowCount } = await admin.pool.query(
      'SELECT FROM reconciliation_exceptions WHERE exception_id = $1 AND closed_at IS NULL',
      [id],
    );
    return rowCount === 1;
  };
  const correctionsOf = async (payoutId: string) => {
    const { state } = await admin.store.load(payoutAggregate, payoutId);
    return state.status === 'none' ? [] : state.lineCorrections;
  };
  /** Turns the break of a fee into a break of another kind, by changing the line and its entry. */
  const becomes = async (
    { exceptionId, payoutId }: { readonly exceptionId: string; readonly payoutId: string },
    kind: string,
    lines: string,
  ) => {
    await admin.pool.query(
      'UPDATE reconciliation_exceptions SET kind = $2 WHERE exception_id = $1',
      [exceptionId, kind],
    );
    await admin.pool.query(`UPDATE payout_lines SET ${lines} WHERE payout_id = $1`, [payoutId]);
  };
  const dryRun = (subjectId: string) =>
    jane.post('/v1/actions/dry-run', { kind: 'accept_line', target: { subjectId }, reason });

  test('corrects the ledger by the difference, and lets the payouts be compared, which closes the break', async () => {
    await admin.pool.query(
      `INSERT INTO jobs (kind, key, account_id, due_at)
       VALUES ('account.reconcile', $1, $1, '2099-01-01')
       ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at`,
      [bench.accountId],
    );
    const { exceptionId, payoutId, lineId } = await differingFee(admin, bench.accountId);
    expect(await accepted(exceptionId)).toMatchObject({ body: { status: 'done' } });
    expect(await correctionsOf(payoutId)).toEqual([
      { lineKind: 'payment', objectId: lineId, amountMinor: 0, feesMinor: 3 },
    ]);
    const { rowCount } = await admin.pool.query(
      `SELECT FROM jobs WHERE kind = 'account.reconcile' AND key = $1 AND due_at < '2099-01-01'`,
      [bench.accountId],
    );
    expect(rowCount).toBe(1);
    expect(await isOpen(exceptionId)).toBe(true);
  });

  test('shows the money of the ledger and of the provider in its preview, also after an acceptance', async () => {
    const { exceptionId } = await differingFee(admin, bench.accountId);
    const amounts = { amountMinor: 1_999, bookedMinor: 1_999, currency: 'eur' };
    const note = { code: 'line_accepted', ...amounts, feeMinor: 24, bookedFeeMinor: 21 };
    expect((await dryRun(exceptionId)).body['notes']).toEqual([note]);
    await accepted(exceptionId);
    expect((await dryRun(exceptionId)).body['notes']).toEqual([{ ...note, bookedFeeMinor: 24 }]);
  });

  test.each([
    ['unknown', 'payment_id = NULL, journal_id = object_id', 1_999, 24],
    ['amount', 'amount_minor = 1500', -499, 3],
    ['duplicate', `places = '{0,1}'`, 1_999, 27],
    ['unknown', `kind = 'refund', fee_minor = 0, payment_id = NULL`, -1_999, 0],
    ['unknown', `kind = 'dispute_reversal', fee_minor = 0, payment_id = NULL`, 1_999, 0],
  ])(
    'of a break of kind %s (%s) corrects the ledger by amount and fee',
    async (kind, lines, amountMinor, feesMinor) => {
      const line = await differingFee(admin, bench.accountId);
      await becomes(line, kind, lines);
      await admin.pool.query(
        `UPDATE reconciliation_exceptions x SET line_kind = l.kind FROM payout_lines l
          WHERE l.payout_id = x.payout_id AND x.exception_id = $1`,
        [line.exceptionId],
      );
      expect(await accepted(line.exceptionId)).toMatchObject({ body: { status: 'done' } });
      expect(await correctionsOf(line.payoutId)).toMatchObject([{ amountMinor, feesMinor }]);
    },
  );

  test('is booked only once, even if the ledger does not contain the first correction yet', async () => {
    const { exceptionId, payoutId } = await differingFee(admin, bench.accountId);
    await accepted(exceptionId);
    expect(await accepted(exceptionId)).toMatchObject({ body: { status: 'done' } });
    expect(await correctionsOf(payoutId)).toMatchObject([{ feesMinor: 3 }]);
  });

  test('is refused for a closed break, a break for which nothing was paid, and a line without a fee', async () => {
    const { exceptionId } = await differingFee(admin, bench.accountId);
    await admin.pool.query(
      `UPDATE reconciliation_exceptions SET closed_at = now(), closed_by = 'facts'
        WHERE exception_id = $1`,
      [exceptionId],
    );
    const none = { status: 404, body: { code: 'entity_not_found' } };
    expect(await dryRun(exceptionId)).toMatchObject(none);
    const { subjectId } = await bench.targetFor('close_exception');
    expect(await dryRun(subjectId)).toMatchObject(none);
    const { exceptionId: unknown } = await differingFee(admin, bench.accountId, null);
    expect(await dryRun(unknown)).toMatchObject({ body: { code: 'fee_not_shown' } });
  });

  test('is refused until the lines of the payout are read', async () => {
    const { exceptionId } = await differingFee(admin, bench.accountId, 24, false);
    expect(await dryRun(exceptionId)).toMatchObject({
      status: 409,
      body: { code: 'payout_may_change' },
    });
  });

  test('is refused while the line has another currency than the ledger’s entry', async () => {
    const line = await differingFee(admin, bench.accountId);
    await becomes(line, 'amount', `currency = 'usd'`);
    expect(await dryRun(line.exceptionId)).toMatchObject({
      body: { code: 'line_differs_otherwise' },
    });
  });

  test('is refused while the payout has another currency than the ledger’s entry', async () => {
    const { exceptionId, payoutId } = await differingFee(admin, bench.accountId);
    await admin.pool.query(
      `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference,
              currency, amount_minor, fees_minor, fees_vat_minor, date, status, totals, lines_read,
              mismatches, version)
       VALUES ($1, $2, 'shop', 'm1', 'test', 'R-1', 'usd', 1970, 24, 5, now(), 'sent', '{}', true,
               0, 1)`,
      [payoutId, bench.accountId],
    );
    expect(await dryRun(exceptionId)).toMatchObject({ body: { code: 'line_differs_otherwise' } });
  });
});

describe('the redelivery of the webhooks of an endpoint', () => {
  const redeliver = (subjectId: string, deliveryIds?: readonly string[]) =>
    ask(jane, 'redeliver_webhooks', { subjectId, ...(deliveryIds && { deliveryIds }) });

  const deliveriesOf = async (endpointId: string): Promise<readonly unknown[]> => {
    const { rows } = await admin.pool.query(
      `SELECT state, tries FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at`,
      [endpointId],
    );
    return rows;
  };

  const FAILED = { state: 'failed', tries: 15 };
  const PENDING = { state: 'pending', tries: 0 };

  test('requests all its open deliveries, by one job for each order or other subject of the events', async () => {
    const { subjectId } = await bench.targetFor('redeliver_webhooks');
    expect(await deliveriesOf(subjectId)).toEqual([FAILED, PENDING]);
    expect((await redeliver(subjectId)).body).toMatchObject({ outcome: { count: 2 } });
    expect(await deliveriesOf(subjectId)).toEqual([PENDING, PENDING]);
    const { rows } = await admin.pool.query('SELECT key, state FROM jobs WHERE account_id = $1', [
      subjectId,
    ]);
    expect(rows).toEqual([{ key: `${subjectId} ord_${subjectId}`, state: 'ready' }]);
  });

  test('requests only the chosen deliveries, and none of another endpoint', async () => {
    const [{ subjectId }, { subjectId: other }] = [
      await bench.targetFor('redeliver_webhooks'),
      await bench.targetFor('redeliver_webhooks'),
    ];
    const [first = '', second = ''] = await openDeliveries(admin.pool, other);
    const own = await openDeliveries(admin.pool, subjectId, 1);
    const { body } = await redeliver(subjectId, [...own, first, second]);
    expect(body).toMatchObject({ outcome: { count: 1 } });
    expect(await deliveriesOf(subjectId)).toEqual([FAILED, PENDING, PENDING]);
    expect(await deliveriesOf(other)).toEqual([FAILED, PENDING, FAILED, PENDING]);
  });

  test('may be run although further deliveries have failed since the preview', async () => {
    const { subjectId } = await bench.targetFor('redeliver_webhooks');
    const request = { kind: 'redeliver_webhooks', target: { subjectId }, reason };
    const { body: preview } = await jane.post('/v1/actions/dry-run', request);
    expect(preview['follows']).toEqual([
      { code: 'webhooks_sent', host: 'hooks.example', openCount: 2, laterCount: 0 },
    ]);
    await openDeliveries(admin.pool, subjectId);
    const { body } = await jane.post('/v1/actions', { ...request, seen: preview['digest'] });
    expect(body).toMatchObject({ status: 'done', outcome: { count: 4 } });
  });

  test('is refused while the endpoint is disabled, and when none of the deliveries is open', async () => {
    const { subjectId: disabled } = await bench.targetFor('enable_endpoint');
    expect(await redeliver(disabled)).toMatchObject({
      status: 409,
      body: { code: 'webhook_endpoint_disabled' },
    });
    const { subjectId } = await bench.targetFor('disable_endpoint');
    expect(await redeliver(subjectId)).toMatchObject({
      status: 409,
      body: { code: 'no_open_delivery' },
    });
  });
});

test('the preview of the review of a merchant’s mismatches lists each mismatch that was not reviewed', async () => {
  const merchantId = newId('mer');
  const at = instantFromMs(Date.now());
  const execute = (command: MerchantCommand) =>
    admin.store.execute(merchantAggregate, merchantId, command, {
      correlationId: merchantId,
      causationId: 'spec',
      actor: 'spec',
      traceparent: null,
    });
  const observe = (status: string, companyAccountId = 'acct_1') =>
    execute({
      type: 'ObserveCompanyStatus',
      observation: {
        companyId: `comp_${merchantId}`,
        companyAccountId,
        status,
        terminatedByProvider: null,
        seen: { source: 'read', readAt: at },
      },
      at,
    });
  const reviewed = async (): Promise<unknown> => {
    const request = { kind: 'review_mismatches', target: { subjectId: merchantId }, reason };
    return (await jane.post('/v1/actions/dry-run', request)).body['notes'];
  };
  const mismatch = { code: 'mismatch_reviewed', aspect: 'status', expected: 'available' };
  await execute({
    type: 'DraftMerchant',
    platformId: 'shop',
    reference: merchantId,
    mode: 'test',
    firstTerminal: null,
    detailsRef: newId('det'),
    at,
  });
  await execute({ type: 'RequestRegistration', at });
  await observe('available');
  await observe('unrecognized asleep');
  await observe('available', 'acct_2');
  expect(await reviewed()).toEqual([
    { ...mismatch, observed: 'unrecognized asleep' },
    { ...mismatch, aspect: 'account', expected: 'acct_1', observed: 'acct_2' },
  ]);
  await execute({ type: 'ReviewMismatches', at });
  await observe('unrecognized dozing');
  expect(await reviewed()).toEqual([{ ...mismatch, observed: 'unrecognized dozing' }]);
});
