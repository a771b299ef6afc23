import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { accountDecider } from '#account';
import {
  type Decider,
  type DomainCommand,
  type DomainEvent,
  type Instant,
  Rejection,
  DAY_MS,
  plusMs,
} from '#kernel';
import { merchantDecider } from '#onboarding';
import { type OrderCommand, orderDecider } from '#order';
import { type Observation, type PaymentCommand, paymentDecider } from '#payment';
import { payoutDecider } from '#payout';
import { endpointDecider } from '#webhook';
import { accountCommand, registerAccount } from './account-commands.js';
import { createEndpoint, endpointCommand } from './endpoint-commands.js';
import { draftMerchant, merchantCommand } from './merchant-commands.js';
import { payoutCommand } from './payout-commands.js';

const FOLDER = 'docs/generated/schemas';

/**
 * Adds `additionalProperties: false` to a schema, so that an undescribed property of an event is
 * noticed; the published schemas allow further properties.
 */
const strictly = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = 'properties' in schema ? { additionalProperties: false } : {};
  const inner = Object.entries(schema).map(([name, value]) => [name, strictly(value)] as const);
  return { ...closed, ...Object.fromEntries(inner) };
};

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>(
  readdirSync(FOLDER).map((name) => {
    const schema = JSON.parse(readFileSync(`${FOLDER}/${name}`, 'utf8')) as { title: string };
    return [schema.title, ajv.compile(strictly(schema) as object)];
  }),
);

/** Runs the commands in turn and skips those that the decider rejects; returns all events. */
const eventsOf = <State, Command extends DomainCommand, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  commands: readonly Command[],
): readonly Event[] => {
  const decided: Event[] = [];
  let state = decider.initialState;
  for (const command of commands) {
    try {
      const events = decider.decide(state, command);
      state = events.reduce(decider.evolve, state);
      decided.push(...events);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
  }
  return decided;
};

const seen = new Set<string>();
const expectValid = (events: readonly DomainEvent[]): void => {
  for (const event of events) {
    const { type, ...data } = JSON.parse(JSON.stringify(event)) as DomainEvent;
    seen.add(type);
    const validate = validators.get(type);
    const valid = validate?.(data);
    if (!valid) throw new Error(`${type}: ${JSON.stringify(validate?.errors ?? 'no schema')}`);
  }
};

const at = '2026-03-01T12:00:00.000Z' as Instant;
const later = '2026-03-08T12:00:00.000Z' as Instant;
const text = fc.constantFrom('a', 'some text');
const optional = fc.option(text, { nil: null });

const place = fc.record({
  type: fc.constant('PlaceOrder' as const),
  at: fc.constant(at),
  platformId: text,
  merchantId: text,
  accountId: text,
  reference: text,
  amountMinor: fc.integer({ min: 1, max: 9_999 }),
  currency: fc.constantFrom('eur' as const, 'gbp' as const),
  capture: fc.constantFrom(
    { policy: 'automatic' as const },
    { policy: 'manual' as const },
    { policy: 'delayed' as const, delayMs: 60_000 },
  ),
  methods: fc.constantFrom(['card' as const], ['card' as const, 'sepa' as const]),
  returnUrl: optional,
  description: optional,
  metadata: fc.dictionary(text, text),
  expiresAt: fc.constant(later),
});

/** Commands for an order with payment `pay_1`: one list for each final status of an order. */
const orderWays: readonly (readonly OrderCommand[])[] = [
  [
    { type: 'NoteAuthorization', paymentId: 'pay_1', at },
    { type: 'ConfirmPaid', paymentId: 'pay_1', amountMinor: 0, at },
  ],
  [
    { type: 'RequestCancellation', at },
    { type: 'CloseOrder', outcome: 'canceled', reason: 'r', at },
  ],
  [
    { type: 'ReachExpiry', at },
    { type: 'CloseOrder', outcome: 'expired', reason: 'r', at },
  ],
  [{ type: 'CloseOrder', outcome: 'failed', reason: 'no such account', at }],
  [
    { type: 'ConfirmPaid', paymentId: 'pay_1', captureId: 'cap_1', amountMinor: 1, at },
    { type: 'NoteCapture', paymentId: 'pay_1', captureId: 'cap_2', amountMinor: 2, at },
    { type: 'NoteCapture', paymentId: 'pay_1', captureId: 'cap_2', amountMinor: 1, at },
  ],
  [
    { type: 'ConfirmPaid', paymentId: 'pay_1', amountMinor: 0, at },
    ...(
      [
        { how: 'refund', refundId: 'refd_1', requestId: null, amountMinor: 1 },
        {
          how: 'chargeback',
          disputeId: 'dspt_1',
          amountMinor: 1,
          reasonCode: '4837',
          payerReasonCode: '45',
        },
        { how: 'dispute_won', disputeId: 'dspt_1', amountMinor: 1 },
        { how: 'debit_return', disputeId: null, amountMinor: null, reasonCode: 'AM04' },
        { how: 'lost' },
      ] as const
    ).map((back): OrderCommand => ({
      type: 'NoteRefundOrChargeback',
      paymentId: 'pay_1',
      ...back,
      at,
    })),
  ],
];

test('every event of an order fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(place, fc.constantFrom(...orderWays), (placed, way) => {
      const paid = way.map((command): OrderCommand =>
        command.type === 'ConfirmPaid' && command.captureId === undefined
          ? { ...command, amountMinor: placed.amountMinor }
          : command,
      );
      const start: OrderCommand = { type: 'StartPayment', paymentId: 'pay_1', at };
      expectValid(eventsOf(orderDecider, [placed, start, ...paid]));
    }),
    { numRuns: 300, seed: 7 },
  );
});

const request = fc
  .record({
    type: fc.constant('RequestIntent' as const),
    at: fc.constant(at),
    orderId: text,
    platformId: text,
    accountId: text,
    amountMinor: fc.constant(1_200),
    currency: fc.constant('eur' as const),
    methods: fc.constant(['card' as const, 'sepa' as const]),
    returnUrl: optional,
    description: optional,
  })
  .chain((asked) => fc.constantFrom(asked, { ...asked, mandateId: 'sepa_1' }));

const shownCaptures = fc.uniqueArray(
  fc.record({
    reference: fc.constantFrom('cap_1', 'cap_2', null),
    captureId: fc.constantFrom('theirs_1', 'theirs_2'),
    amountMinor: fc.constantFrom(400, 1_300),
    status: fc.constantFrom('accepted', 'sent', 'captured', 'unheard_of'),
  }),
  { minLength: 1, maxLength: 2, selector: ({ captureId }) => captureId },
);

const observation: fc.Arbitrary<Observation> = fc.record({
  intent: fc
    .record({
      intentId: fc.constantFrom('pi_1', 'pi_1', 'pi_1', 'pi_2'),
      reference: fc.constantFrom('pay_1', 'pay_1', 'pay_1', 'pay_2', null),
      pageUrl: fc.constant('https://page.example/1'),
      status: fc.constantFrom(
        'open',
        'processing',
        'authorized',
        'to_capture',
        'capture_sent',
        'captured',
        'canceled',
        'unpaid',
        'unheard_of',
      ),
      amountMinor: fc.constantFrom(1_200, 1_200, 1_200, 999),
      currency: fc.constantFrom('eur', 'eur', 'eur', 'usd'),
    })
    .chain((intent) =>
      fc
        .option(shownCaptures, { nil: null })
        .map((captures) => (captures === null ? intent : { ...intent, captures })),
    ),
  attempts: fc.option(
    fc.array(
      fc.record({
        attemptId: fc.constantFrom('paym_1', 'paym_2'),
        status: fc.constantFrom('refused', 'authorized', null),
        response: optional,
        method: fc.constantFrom('card' as const, 'sepa' as const, null),
        mandateId: fc.constantFrom('sepa_1', null),
        authorizedUntil: fc.constant(plusMs(at, 7 * DAY_MS)),
      }),
      { maxLength: 2 },
    ),
    { nil: null },
  ),
  refunds: fc.option(
    fc.uniqueArray(
      fc.record({
        refundId: fc.constantFrom('refd_1', 'refd_2'),
        amountMinor: fc.constantFrom(400, 1_300),
        currency: fc.constantFrom('eur', 'eur', 'usd'),
        status: fc.constantFrom(
          'to_refund',
          'refund_sent',
          'refunded',
          'not_honored',
          'failed',
          'unheard_of',
        ),
        createdAt: fc.constant(at),
      }),
      { maxLength: 2, selector: ({ refundId }) => refundId },
    ),
    { nil: null },
  ),
  disputes: fc.option(
    fc.array(
      fc.record({
        disputeId: fc.constant('dspt_1'),
        kind: fc.constantFrom('chargeback' as const, 'sepa_return' as const),
        amountMinor: fc.constantFrom(1_200, 9_999),
        currency: fc.constant('eur'),
        feeMinor: fc.constant(1_500),
        reasonCode: fc.constantFrom('4837', 'AM04'),
        status: fc.constantFrom('open', 'won', 'lost', 'unheard_of'),
        createdAt: fc.constant(at),
      }),
      { maxLength: 1 },
    ),
    { nil: null },
  ),
});

const call = fc.constantFrom(
  'create_intent' as const,
  'debit_mandate' as const,
  'capture' as const,
  'cancel' as const,
  'refund' as const,
);
const paymentCommand: fc.Arbitrary<PaymentCommand> = fc.oneof(
  {
    weight: 5,
    arbitrary: observation.map((seenNow): PaymentCommand => ({
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation: seenNow,
      at,
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(observation, call).map(([seenNow, resolves]): PaymentCommand => ({
      type: 'ObservePayment',
      paymentId: 'pay_1',
      observation: seenNow,
      resolves,
      at,
    })),
  },
  call.map((unknown): PaymentCommand => ({ type: 'NoteUnknownOutcome', call: unknown, at })),
  fc.constantFrom<PaymentCommand>(
    { type: 'ObserveIntentRejection', reason: 'no such account', at },
    { type: 'RequestCapture', captureId: 'cap_1', by: 'policy', at },
    { type: 'RequestCancel', reason: 'expiry', at },
    {
      type: 'RequestRefund',
      requestId: 'rfr_1',
      amountMinor: 400,
      reference: 'return-1',
      reason: null,
      at,
    },
    { type: 'RejectDebit', reason: 'no mandate', at },
    { type: 'RejectRefund', requestId: 'rfr_1', reason: 'disputed', at },
    { type: 'FinishPage', at },
    { type: 'WarnOfExpiry', at },
  ),
);

/** Commands that add a rejected capture at the end of a history. */
const rejectedCapture: readonly PaymentCommand[] = [
  { type: 'RequestCapture', captureId: 'cap_3', by: 'policy', at },
  { type: 'RejectCapture', captureId: 'cap_3', reason: 'partial capture', at },
];

/**
 * Commands that add, at the end of a history, a refund that is abandoned because the provider never
 * executed it.
 */
const rejectedRefund: readonly PaymentCommand[] = [
  {
    type: 'RequestRefund',
    requestId: 'rfr_2',
    amountMinor: 1,
    reference: null,
    reason: null,
    at,
  },
  { type: 'RejectRefund', requestId: 'rfr_2', reason: 'disputed', at },
  { type: 'GiveUpRefund', requestId: 'rfr_2', at },
];

/** Commands that add, at the end of a history, a mismatch that operators have reviewed. */
const reviewedMismatch: readonly PaymentCommand[] = [
  { type: 'NoteMissingIntent', at },
  { type: 'ReviewMismatches', at },
];

test('every event of a payment fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(
      request,
      fc.array(paymentCommand, { minLength: 4, maxLength: 12 }),
      (asked, ways) => {
        // RejectDebit is left out when the payment has no mandate: there is then no debit to
        // reject, and the decider's assertion would fail.
        const possible =
          'mandateId' in asked ? ways : ways.filter(({ type }) => type !== 'RejectDebit');
        expectValid(
          eventsOf(paymentDecider, [
            asked,
            ...possible,
            ...rejectedCapture,
            ...rejectedRefund,
            ...reviewedMismatch,
          ]),
        );
      },
    ),
    { numRuns: 1_000, seed: 7 },
  );
});

test('every event of a payout fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(fc.array(payoutCommand, { minLength: 2, maxLength: 8 }), (ways) =>
      expectValid(eventsOf(payoutDecider, ways)),
    ),
    { numRuns: 1_000, seed: 7 },
  );
});

test('every event of a merchant fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(
      draftMerchant,
      fc.array(merchantCommand, { minLength: 8, maxLength: 40 }),
      (drafted, ways) =>
        expectValid(
          eventsOf(merchantDecider, [drafted, { type: 'RequestRegistration', at }, ...ways]),
        ),
    ),
    { numRuns: 1_000, seed: 7 },
  );
});

test('every event of an account fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(registerAccount, fc.array(accountCommand, { maxLength: 8 }), (registered, ways) =>
      expectValid(eventsOf(accountDecider, [registered, ...ways])),
    ),
    { numRuns: 300, seed: 7 },
  );
});

test('every event of a webhook endpoint fits its schema and has no undescribed property', () => {
  fc.assert(
    fc.property(createEndpoint, fc.array(endpointCommand, { maxLength: 8 }), (created, ways) =>
      expectValid(eventsOf(endpointDecider, [created, ...ways])),
    ),
    { numRuns: 300, seed: 7 },
  );
});

test('the random histories contain every event type', () => {
  expect([...seen].sort()).toEqual([...validators.keys()].sort());
});
