import type { RecordedEvent } from '#log';
import { fold, parseInstant } from '#kernel';
import {
  capturedMinor,
  exists,
  type Observation,
  type PaymentCommand,
  paymentDecider,
  type PaymentEvent,
  paymentList,
  type PaymentListRow,
  refundedMinor,
} from '#payment';

const at = parseInstant('2026-03-01T10:00:00Z');
const money = { amountMinor: 1_250, currency: 'eur' } as const;

const request: PaymentCommand = {
  type: 'RequestIntent',
  orderId: 'ord_1',
  platformId: 'shop',
  accountId: 'acc_1',
  ...money,
  methods: ['card'],
  returnUrl: null,
  description: null,
  at,
};
const attempt = (attemptId: string, status: string) => ({
  attemptId,
  status,
  response: status === 'refused' ? '51' : '00',
  method: 'card' as const,
  authorizedUntil: at,
  mandateId: null,
});
const observe = (status: string, parts: Partial<Observation> = {}): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  at,
  observation: {
    intent: {
      intentId: 'pi_1',
      reference: 'pay_1',
      pageUrl: 'https://pay.test',
      status,
      ...money,
    },
    attempts: [attempt('paym_1', status)],
    refunds: null,
    disputes: null,
    ...parts,
  },
});
const refund = (status: string) => ({
  refundId: 'refd_1',
  attemptId: 'paym_1',
  amountMinor: 500,
  currency: 'eur',
  status,
  createdAt: at,
});
const open = observe('open', { attempts: [] });
const capture: PaymentCommand = { type: 'RequestCapture', captureId: 'cap_1', by: 'platform', at };
const unknown: PaymentCommand = { type: 'NoteUnknownOutcome', call: 'capture', at };
const captured = observe('captured', { refunds: [], disputes: [] });

/** A payment with a capture of each status, at a provider that shows captures separately. */
const several = (...statuses: readonly string[]): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  at,
  observation: {
    intent: {
      intentId: 'pi_1',
      reference: 'pay_1',
      pageUrl: 'https://pay.test',
      status: 'authorized',
      ...money,
      captures: statuses.map((status, n) => ({
        reference: `cap_${n}`,
        captureId: `theirs_${n}`,
        amountMinor: 500,
        status,
      })),
    },
    attempts: [attempt('paym_1', 'authorized')],
    refunds: null,
    disputes: null,
  },
});
const ofDebit = (status: string): PaymentCommand =>
  observe(status, {
    attempts: [{ ...attempt('paym_1', status), method: 'sepa', mandateId: 'sepa_1' }],
  });

const STORIES: Readonly<Record<string, readonly PaymentCommand[]>> = {
  requested: [request],
  rejected: [request, { type: 'ObserveIntentRejection', reason: 'no', at }],
  open: [request, open],
  'open, after a refused attempt': [
    request,
    open,
    observe('open', { attempts: [attempt('paym_1', 'refused')] }),
  ],
  authorized: [request, open, observe('authorized')],
  'of unknown outcome': [request, open, observe('authorized'), capture, unknown],
  'settled again': [
    request,
    open,
    observe('authorized'),
    capture,
    unknown,
    { ...observe('to_capture'), resolves: 'capture' } as PaymentCommand,
  ],
  captured: [request, open, observe('authorized'), captured],
  'partly refunded': [
    request,
    open,
    observe('authorized'),
    captured,
    observe('captured', { refunds: [refund('refunded')] as never, disputes: [] }),
  ],
  'captured in part, with another part in progress': [
    request,
    open,
    observe('authorized'),
    several('sent'),
    several('captured', 'accepted'),
    several('captured', 'sent'),
  ],
  'a returned debit': [request, open, ofDebit('capture_sent'), ofDebit('unpaid')],
  canceled: [request, open, observe('canceled', { attempts: [] })],
};

test.each(Object.entries(STORIES))(
  'the payment list shows a payment that is %s with the values of its event stream',
  (_, story) => {
    let history: readonly PaymentEvent[] = [];
    let row: PaymentListRow | null = null;
    for (const command of story) {
      for (const event of paymentDecider.decide(fold(paymentDecider, history), command)) {
        const { type, ...data } = event;
        history = [...history, event];
        const recorded = { streamId: 'pay_1', version: history.length, type, data };
        row = paymentList.apply(row, recorded as unknown as RecordedEvent);
      }
    }
    const payment = fold(paymentDecider, history);
    expect(row).toMatchObject({
      payment_id: 'pay_1',
      order_id: 'ord_1',
      platform_id: 'shop',
      account_id: 'acc_1',
      amount_minor: 1_250,
      currency: 'eur',
      status: payment.status,
      version: history.length,
      intent_id: exists(payment) ? payment.intentId : null,
      unknown_results: 'unknown' in payment ? payment.unknown : [],
      captured_minor: capturedMinor(payment),
      refunded_minor: exists(payment) ? refundedMinor(payment.refunds) : 0,
      disputed: exists(payment) && payment.disputes.length > 0,
    });
  },
);

const rowOf = (story: readonly PaymentCommand[]): PaymentListRow | null => {
  let row: PaymentListRow | null = null;
  let history: readonly PaymentEvent[] = [];
  for (const command of story) {
    for (const event of paymentDecider.decide(fold(paymentDecider, history), command)) {
      const { type, ...data } = event;
      history = [...history, event];
      const recorded = { streamId: 'pay_1', version: history.length, type, data };
      row = paymentList.apply(row, recorded as unknown as RecordedEvent);
    }
  }
  return row;
};

test('the payment list contains the provider’s ids of a payment and the references of its refunds', () => {
  const back = { type: 'RequestRefund', amountMinor: 500, reason: null, at } as const;
  const story: readonly PaymentCommand[] = [
    ...(STORIES['partly refunded'] ?? []),
    { ...back, requestId: 'rfr_1', reference: 'return-17' },
    { type: 'RejectRefund', requestId: 'rfr_1', reason: 'no', at },
    { ...back, requestId: 'rfr_2', reference: null },
  ];
  expect(rowOf(story)).toMatchObject({
    provider_ids: ['paym_1', 'refd_1'],
    refund_references: ['rfr_1', 'return-17', 'rfr_2'],
    refunded_minor: 500,
  });
});

test('the payment list contains the last four digits of the card that the payer tried last', () => {
  const tried = (attemptId: string, status: string, last4: string) => ({
    ...attempt(attemptId, status),
    methodDetails: { method: 'card' as const, last4 },
  });
  const refused = tried('paym_1', 'refused', '0044');
  const story = [request, open, observe('open', { attempts: [refused] })];
  expect(rowOf(story)?.last_four).toBe('0044');
  const second = [refused, tried('paym_2', 'authorized', '0012')];
  expect(rowOf([...story, observe('authorized', { attempts: second })])?.last_four).toBe('0012');
  expect(rowOf(STORIES['authorized'] ?? [])?.last_four).toBeNull();
});

describe('the payment list with two queued refunds of the same amount', () => {
  const back = { type: 'RequestRefund', amountMinor: 500, reason: null, at } as const;
  const queued: readonly PaymentCommand[] = [
    ...(STORIES['authorized'] ?? []),
    observe('to_capture'),
    { ...back, requestId: 'rfr_1', reference: 'return-17' },
    { ...back, requestId: 'rfr_2', reference: 'return-18' },
  ];

  test('finds both refunds by their references, and shows both as failed if the provider rejects both', () => {
    const row = rowOf([
      ...queued,
      observe('captured'),
      { type: 'RejectRefund', requestId: 'rfr_1', reason: 'no', at },
      { type: 'RejectRefund', requestId: 'rfr_2', reason: 'no', at },
    ]);
    expect(row).toMatchObject({
      refund_references: ['rfr_1', 'return-17', 'rfr_2', 'return-18'],
      rejected_refunds: ['rfr_1', 'rfr_2'],
    });
  });

  test('shows neither refund as failed if the payment is canceled before it is captured', () => {
    expect(rowOf([...queued, observe('canceled')])).toMatchObject({
      refunds: [{ status: 'rejected' }, { status: 'rejected' }],
      rejected_refunds: [],
    });
  });
});

test('the payment list shows a capture as rejected until a new capture is requested, a read shows the rejected capture as executed, or the payment reaches a final status', () => {
  const rejected = { type: 'RejectCapture', captureId: 'cap_0', reason: '422', at } as const;
  const part = {
    ...capture,
    captureId: 'cap_0',
    part: { amountMinor: 500, can: { partialCapture: true, multipleCapture: true } },
  } as PaymentCommand;
  const story = [request, open, several(), part, rejected];
  const listed = (...then: readonly PaymentCommand[]) =>
    rowOf([...story, ...then])?.rejected_captures;
  expect(listed()).toEqual(['cap_0']);
  expect(listed({ ...part, captureId: 'cap_1' } as PaymentCommand)).toEqual([]);
  expect(listed(several('accepted'))).toEqual([]);
  expect(listed(observe('canceled'))).toEqual([]);
});

test('the payment list shows a failed refund until a new request replaces it, even if the events are of an older release', () => {
  const type = 'RefundRequested';
  const back = { reference: null, reason: null, at };
  const of = (number: number, amountMinor: number) =>
    ({ type, requestId: `rfr_${number}`, amountMinor, ...back }) as const;
  const rejected = (number: number, amountMinor: number): PaymentEvent => ({
    type: 'RefundRejected',
    requestId: `rfr_${number}`,
    amountMinor,
    reason: 'no',
    at,
  });
  const before = [
    of(1, 500),
    rejected(1, 500),
    of(2, 400),
    rejected(2, 400),
    of(3, 300),
    rejected(3, 300),
  ];
  const listed = (...then: readonly PaymentEvent[]) => {
    const { type: _type, ...terms } = request as PaymentCommand & { type: 'RequestIntent' };
    const events = [{ type: 'IntentRequested', ...terms } as PaymentEvent, ...before, ...then];
    return events.reduce<PaymentListRow | null>(
      (row, { type, ...data }, index) =>
        paymentList.apply(row, {
          streamId: 'pay_1',
          version: index + 1,
          type,
          data,
        } as unknown as RecordedEvent),
      null,
    )?.rejected_refunds;
  };
  expect(listed()).toEqual(['rfr_1', 'rfr_2', 'rfr_3']);
  expect(listed(of(4, 400))).toEqual(['rfr_1', 'rfr_3']);
  expect(listed(of(4, 400), of(5, 200))).toEqual(['rfr_1', 'rfr_3']);
  expect(listed({ ...of(4, 100), replaces: 'rfr_1' }, of(5, 300))).toEqual(['rfr_2']);
  expect(
    listed({ type: 'RefundAbandoned', requestId: 'rfr_1', amountMinor: 500, at }, of(4, 500)),
  ).toEqual(['rfr_2', 'rfr_3']);
});

describe('a failed refund in the payment list', () => {
  const back = { type: 'RequestRefund', amountMinor: 500, reference: null, reason: null } as const;
  const failed: readonly PaymentCommand[] = [
    ...(STORIES['captured'] ?? []),
    { ...back, requestId: 'rfr_1', at },
    { type: 'RejectRefund', requestId: 'rfr_1', reason: 'no', at },
  ];
  const reissued: readonly PaymentCommand[] = [
    ...failed,
    { ...back, requestId: 'rfr_2', replaces: 'rfr_1', at },
  ];
  const owed = (...then: readonly PaymentCommand[]) => rowOf(then)?.owed_refunds;
  const first = { requestId: 'rfr_1', current: 'rfr_1', amountMinor: 500, since: at };
  /**
   * A read that shows one refund with this status and resolves the unknown result of the refund
   * request.
   */
  const seen = (status: string): PaymentCommand => ({
    ...(observe('captured', { refunds: [refund(status)] as never }) as PaymentCommand & {
      type: 'ObservePayment';
    }),
    resolves: 'refund',
  });

  test('is owed to the payer until its replacement has paid the payer, not only until the replacement is requested', () => {
    expect(owed(...failed)).toEqual([first]);
    expect(owed(...reissued)).toEqual([{ ...first, current: 'rfr_2' }]);
    expect(owed(...reissued, seen('to_refund'))).toEqual([{ ...first, current: 'rfr_2' }]);
    expect(owed(...reissued, seen('to_refund'), seen('refunded'))).toEqual([]);
  });

  test('is still owed after another refund of the same amount, with another reference, has paid the payer', () => {
    const other = [
      ...failed,
      { ...back, requestId: 'rfr_2', reference: 'return-18', at },
      seen('refunded'),
    ] as const;
    expect(owed(...other)).toEqual([first]);
    expect(rowOf(other)?.rejected_refunds).toEqual(['rfr_1']);
  });

  test('counts as one owed refund, even if its replacement fails as well', () => {
    const again = { type: 'RejectRefund', requestId: 'rfr_2', reason: 'no', at } as const;
    expect(owed(...reissued, again)).toEqual([{ ...first, current: 'rfr_2' }]);
    expect(owed(...reissued, seen('to_refund'), seen('failed'))).toEqual([
      { ...first, current: 'rfr_2' },
    ]);
    expect(rowOf([...reissued, seen('to_refund'), seen('failed')])?.rejected_refunds).toEqual([
      'rfr_2',
    ]);
  });

  test('is owed from the time when its result becomes unknown until the payer has the money, not only until a read shows the refund', () => {
    const unknown: readonly PaymentCommand[] = [
      ...(STORIES['captured'] ?? []),
      { ...back, requestId: 'rfr_1', at },
      { type: 'NoteUnknownOutcome', call: 'refund', at },
    ];
    expect(owed(...unknown)).toEqual([first]);
    expect(owed(...unknown, seen('to_refund'))).toEqual([first]);
    expect(owed(...unknown, seen('to_refund'), seen('refund_sent'))).toEqual([first]);
    expect(owed(...unknown, seen('to_refund'), seen('refunded'))).toEqual([]);
    const notMade = { type: 'RejectRefund', requestId: 'rfr_1', reason: 'no', at } as const;
    expect(owed(...unknown, notMade)).toEqual([first]);
  });

  test('is not owed while a dispute has returned the money to the payer, and is owed again once the dispute is won', () => {
    const dispute = (status: string): PaymentCommand =>
      observe('captured', {
        disputes: [
          {
            disputeId: 'dspt_1',
            kind: 'chargeback',
            amountMinor: 1_250,
            currency: 'eur',
            feeMinor: 1_500,
            reasonCode: '4837',
            status,
            createdAt: at,
          },
        ] as never,
      });
    const disputed = { ...first, disputed: true };
    expect(rowOf([...failed, dispute('open')])).toMatchObject({
      owed_refunds: [disputed],
      rejected_refunds: [],
    });
    expect(owed(...failed, dispute('lost'))).toEqual([disputed]);
    const won = [...failed, dispute('open'), dispute('won')];
    expect(rowOf(won)).toMatchObject({
      owed_refunds: [first],
      rejected_refunds: ['rfr_1'],
      rejected_minor: [500],
    });
    expect(owed(...won)).toEqual([first]);
    expect(owed(...won, { type: 'GiveUpRefund', requestId: 'rfr_1', at })).toEqual([]);
    const [request1, rejection] = failed.slice(-2);
    const during = [
      ...failed.slice(0, -2),
      ...[request1, dispute('open'), rejection, dispute('won')].filter((one) => one !== undefined),
    ];
    expect(owed(...during)).toEqual([first]);
  });

  test('is no longer owed to the payer once an operator has abandoned the refund', () => {
    expect(owed(...failed, { type: 'GiveUpRefund', requestId: 'rfr_1', at })).toEqual([]);
  });
});
