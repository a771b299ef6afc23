import fc from 'fast-check';
import { type Instant, instantFromMs } from '#kernel';
import type { PaymentEvent } from '#payment';
import {
  type AcceptedLineKind,
  LEDGER_ACCOUNTS,
  NO_LINES,
  paymentFeeMinor,
  type PayoutEvent,
  vatMinor,
} from '#payout';
import { type Book, bookEvent, type Booking, type Entry } from './postings.js';

const at: Instant = instantFromMs(Date.parse('2026-03-02T06:00:00Z'));

type Event = PaymentEvent | PayoutEvent;

/** The journal entries that the ledger's projection writes for the events of a stream. */
const book = (streamId: string, events: readonly Event[]): readonly Entry[] => {
  let known: Book | null = null;
  return events.flatMap((event) => {
    const { book: after, entry }: Booking = bookEvent(streamId, known, event);
    known = after;
    return entry === null ? [] : [entry];
  });
};

const requested = (amountMinor: number): PaymentEvent => ({
  type: 'IntentRequested',
  orderId: 'ord_1',
  platformId: 'shop',
  accountId: 'acc_1',
  amountMinor,
  currency: 'eur',
  methods: ['card', 'sepa'],
  returnUrl: null,
  description: null,
  at,
});
const authorized: PaymentEvent = {
  type: 'PaymentAuthorized',
  attemptId: 'paym_1',
  expiresAt: at,
  at,
};
const debited: PaymentEvent = { type: 'DirectDebitAccepted', attemptId: 'paym_1', at };
const captured = (amountMinor: number): PaymentEvent => ({
  type: 'PaymentCaptured',
  captureId: 'cap_1',
  amountMinor,
  at,
});
const refunded = (n: number, amountMinor: number): PaymentEvent => ({
  type: 'RefundSucceeded',
  refundId: `refd_${n}`,
  requestId: null,
  amountMinor,
  at,
});
const disputed = (amountMinor: number): PaymentEvent & { type: 'DisputeObserved' } => ({
  type: 'DisputeObserved',
  disputeId: 'dspt_1',
  kind: 'chargeback',
  amountMinor,
  feeMinor: 1_500,
  reasonCode: '45',
  payerReasonCode: '45',
  createdAt: at,
  at,
});
const reversed = (amountMinor: number): PaymentEvent => ({
  type: 'DisputeReversed',
  disputeId: 'dspt_1',
  amountMinor,
  at,
});
const announced = (amountMinor: number, feesMinor: number): PayoutEvent => ({
  type: 'PayoutAnnounced',
  accountId: 'acc_1',
  platformId: 'shop',
  merchantId: 'm1',
  mode: 'test',
  reference: 'r',
  currency: 'eur',
  amountMinor,
  feesMinor,
  feesVatMinor: vatMinor(feesMinor),
  date: '2026-03-02',
  at,
  totals: {
    payment: { card: NO_LINES, sepa: NO_LINES },
    refund: { card: NO_LINES, sepa: NO_LINES },
    dispute: { card: NO_LINES, sepa: NO_LINES },
  },
});
const moved = (status: 'to_pay' | 'sent' | 'paid' | 'failed'): PayoutEvent => ({
  type: 'PayoutStatusChanged',
  status,
  bankDate: null,
  at,
});

const corrected = (
  feesMinor: number,
  amountMinor = 0,
  lineKind: AcceptedLineKind = 'payment',
): PayoutEvent => ({
  type: 'PayoutLineCorrected',
  lineKind,
  objectId: 'paym_1',
  amountMinor,
  feesMinor,
  at,
});

describe('the journal entries', () => {
  test('the entry of a card payment debits the payer and credits the merchant, less the fee', () =>
    expect(book('pay_1', [requested(1_000), authorized, captured(1_000)])).toEqual([
      {
        kind: 'payment',
        objectId: 'pay_1',
        captureId: 'cap_1',
        amountMinor: 1_000,
        postings: { payer: -1_000, provider: 986, fees: 14, merchant: 0, vat: 0, disputes: 0 },
      },
    ]));

  test('the entry of a direct debit contains the fee for direct debits', () =>
    expect(book('pay_1', [requested(1_000), debited, captured(1_000)])[0]?.postings).toMatchObject({
      payer: -1_000,
      provider: 993,
      fees: 7,
    }));

  test('the entry of a refund is booked at the time of the refund', () =>
    expect(
      book('pay_1', [requested(1_000), authorized, captured(1_000), refunded(1, 400)])[1],
    ).toMatchObject({
      kind: 'refund',
      objectId: 'refd_1',
      postings: { payer: 400, provider: -400, fees: 0 },
    }));

  test('the entry of a dispute contains the published dispute fee even if the provider shows a different fee', () =>
    expect(
      book('pay_1', [
        requested(1_000),
        authorized,
        captured(1_000),
        { ...disputed(1_000), feeMinor: 15_000 },
      ])[1]?.postings,
    ).toMatchObject({ disputes: 1_000, provider: -2_500, fees: 1_500 }));

  test('the entry of a dispute reduces the balance at the provider by the amount and the dispute fee', () =>
    expect(
      book('pay_1', [requested(1_000), authorized, captured(1_000), disputed(1_000)])[1],
    ).toMatchObject({
      kind: 'dispute',
      objectId: 'dspt_1',
      postings: { disputes: 1_000, provider: -2_500, fees: 1_500, payer: 0 },
    }));

  test('the entry of a won dispute returns the amount to the merchant without the fee', () => {
    const won: readonly PaymentEvent[] = [
      { type: 'DisputeStatusChanged', disputeId: 'dspt_1', status: 'won', at },
      reversed(400),
    ];
    const entries = book('pay_1', [
      requested(1_000),
      authorized,
      captured(1_000),
      disputed(400),
      ...won,
    ]);
    expect(entries[2]).toEqual({
      kind: 'dispute_reversal',
      objectId: 'dspt_1',
      captureId: null,
      amountMinor: 400,
      postings: { disputes: -400, provider: 400, payer: 0, fees: 0, merchant: 0, vat: 0 },
    });
    expect(entries).toHaveLength(3);
  });

  test('a lost dispute causes no further entry', () =>
    expect(
      book('pay_1', [
        requested(1_000),
        authorized,
        captured(1_000),
        disputed(1_000),
        { type: 'DisputeStatusChanged', disputeId: 'dspt_1', status: 'lost', at },
      ]),
    ).toHaveLength(2));

  test('the entry of a payout is booked once, when the payout is sent', () =>
    expect(
      book('pout_1', [announced(980, 17), moved('to_pay'), moved('sent'), moved('paid')]),
    ).toEqual([
      {
        kind: 'payout',
        objectId: 'pout_1',
        captureId: null,
        amountMinor: 980,
        postings: { provider: -983, merchant: 980, vat: 3, payer: 0, fees: 0, disputes: 0 },
      },
    ]));

  test.each([
    ['payment', 1_000, 14, { payer: -1_000, provider: 986, fees: 14 }],
    ['refund', -400, 0, { payer: 400, provider: -400, fees: 0 }],
    ['dispute', -400, 1_500, { disputes: 400, provider: -1_900, fees: 1_500 }],
    ['dispute_reversal', 400, 0, { disputes: -400, provider: 400, fees: 0 }],
    ['dispute_reversal', 0, 7, { disputes: 0, provider: -7, fees: 7 }],
    ['payment', 0, -2, { provider: 2, fees: -2 }],
  ] as const)(
    'the entry of an accepted line of kind %s corrects the accounts of that kind (%i, fee %i)',
    (kind, amountMinor, feesMinor, postings) =>
      expect(
        book('pout_1', [
          announced(980, 17),
          moved('sent'),
          corrected(feesMinor, amountMinor, kind),
        ])[1],
      ).toEqual({
        kind: `${kind}_correction`,
        objectId: 'paym_1',
        captureId: null,
        amountMinor: Math.abs(amountMinor),
        postings: { payer: 0, merchant: 0, vat: 0, disputes: 0, ...postings },
      }),
  );

  test('the entry of a returned payout is reversed', () => {
    const [out, back] = book('pout_1', [announced(980, 17), moved('sent'), moved('failed')]);
    expect(back?.kind).toBe('payout_failed');
    for (const name of LEDGER_ACCOUNTS) {
      expect((out?.postings[name] ?? 0) + (back?.postings[name] ?? 0)).toBe(0);
    }
  });

  test('no entry exists for an unpaid payment or for a payout that fails before it is sent', () => {
    expect(book('pout_1', [announced(980, 17), moved('to_pay'), moved('failed')])).toEqual([]);
    expect(book('pay_1', [requested(1_000), authorized, { type: 'PaymentCanceled', at }])).toEqual(
      [],
    );
  });
});

/**
 * The events of a payment that is captured, refunded in several parts, then disputed for the rest;
 * the dispute is won.
 */
const payments = fc
  .record({
    amountMinor: fc.integer({ min: 1, max: 4_294_967_295 }),
    isCard: fc.boolean(),
    parts: fc.array(fc.integer({ min: 1, max: 4_294_967_295 }), { maxLength: 4 }),
    isDisputed: fc.boolean(),
    isWon: fc.boolean(),
  })
  .map(({ amountMinor, isCard, parts, isDisputed, isWon }) => {
    let left = amountMinor;
    const back = parts.flatMap((part, n) => {
      if (part > left) return [];
      left -= part;
      return [refunded(n, part)];
    });
    const events: Event[] = [
      requested(amountMinor),
      isCard ? authorized : debited,
      captured(amountMinor),
      ...back,
      ...(isDisputed && left > 0 ? [disputed(left), ...(isWon ? [reversed(left)] : [])] : []),
    ];
    return { events, amountMinor, isCard, left, isDisputed, isWon };
  });

test('for any history, each event’s entry sums to zero and the balances follow from the events', () => {
  fc.assert(
    fc.property(fc.array(payments, { maxLength: 10 }), (histories) => {
      const entries = histories.flatMap(({ events }, n) => book(`pay_${n}`, events));
      const balance = (name: (typeof LEDGER_ACCOUNTS)[number]): number =>
        entries.reduce((total, { postings }) => total + postings[name], 0);
      for (const { postings } of entries) {
        expect(Object.values(postings).reduce((total, minor) => total + minor, 0)).toBe(0);
      }
      const disputes = histories.filter(({ isDisputed, left }) => isDisputed && left > 0);
      const sum = (minors: readonly number[]): number => minors.reduce((a, b) => a + b, 0);
      expect(balance('payer')).toBe(0 - sum(histories.map(({ left }) => left)));
      const standing = disputes.filter(({ isWon }) => !isWon);
      expect(balance('disputes')).toBe(sum(standing.map(({ left }) => left)));
      const fees = histories.map(({ amountMinor, isCard }) =>
        paymentFeeMinor(isCard ? 'card' : 'sepa', amountMinor),
      );
      expect(balance('fees')).toBe(sum(fees) + 1_500 * disputes.length);
      expect(balance('provider')).toBe(
        0 - balance('payer') - balance('disputes') - balance('fees'),
      );
    }),
  );
});

/** Fees that the provider deducts for captured card payments, each unlike the computed fee. */
const paidOut = fc.array(
  fc.record({
    amountMinor: fc.integer({ min: 2_000, max: 1_000_000 }),
    surchargeMinor: fc.integer({ min: -20, max: 500 }).filter((minor) => minor !== 0),
  }),
  { minLength: 1, maxLength: 10 },
);

test('for any fees that the provider deducts, nothing remains with the provider once the payout is sent and the fees are accepted', () => {
  fc.assert(
    fc.property(paidOut, (lines) => {
      const sum = (minors: readonly number[]): number => minors.reduce((a, b) => a + b, 0);
      const amounts = sum(lines.map(({ amountMinor }) => amountMinor));
      const fees = sum(
        lines.map(
          ({ amountMinor, surchargeMinor }) =>
            paymentFeeMinor('card', amountMinor) + surchargeMinor,
        ),
      );
      const entries = [
        ...lines.flatMap(({ amountMinor }, n) =>
          book(`pay_${n}`, [requested(amountMinor), authorized, captured(amountMinor)]),
        ),
        ...book('pout_1', [
          announced(amounts - fees - vatMinor(fees), fees),
          moved('sent'),
          ...lines.map(({ surchargeMinor }) => corrected(surchargeMinor)),
        ]),
      ];
      const balance = (name: (typeof LEDGER_ACCOUNTS)[number]): number =>
        sum(entries.map(({ postings }) => postings[name]));
      for (const { postings } of entries) expect(sum(Object.values(postings))).toBe(0);
      expect([balance('provider'), balance('fees'), balance('vat')]).toEqual([
        0,
        fees,
        vatMinor(fees),
      ]);
    }),
  );
});
