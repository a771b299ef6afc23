import { DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel';
import { REFUSED_AMOUNT_MINOR } from '../simulation/provider/api.js';
import type { OrderPlan, PayerTry } from '../simulation/script.js';

const plan: OrderPlan = {
  ordinal: 1,
  accountId: 'acc_1',
  placedAfterMs: MINUTE_MS,
  amountMinor: 12_500,
  currency: 'eur',
  capture: { policy: 'automatic' },
  methods: ['card'],
  mandateId: null,
  lifetimeMs: DAY_MS,
  tries: [],
  scenario: { returned: null, disputed: null },
  reportsPageCompleted: true,
  cancels: null,
  capturesAfterMs: null,
  refunds: [],
  merchant: 'nothing',
  lie: null,
};

const tries = (
  by: PayerTry['by'],
  ...responses: readonly (string | null)[]
): Partial<OrderPlan> => ({
  tries: responses.map((response) => ({ by, response, afterMs: 5 * MINUTE_MS, atBankMs: 40_000 })),
});
const card = tries('card', '00');
const debit: Partial<OrderPlan> = { methods: ['sepa'], ...tries('debit', '00') };
const mandate = (letter: string): Partial<OrderPlan> => ({
  methods: ['sepa'],
  mandateId: `sepa_${letter.repeat(24)}`,
});
const refunds = (...percents: readonly number[]): Partial<OrderPlan> => ({
  refunds: percents.map((percent) => ({ percent, afterMs: 2 * HOUR_MS })),
});
const disputed = (response: string, afterMs = DAY_MS): Partial<OrderPlan> => ({
  scenario: { returned: null, disputed: { afterMs, response } },
});
const decided = (status: 'won' | 'lost'): Partial<OrderPlan> => ({
  scenario: {
    returned: null,
    disputed: { afterMs: DAY_MS, response: '4837', decided: { afterMs: 5 * DAY_MS, status } },
  },
});
/**
 * A refund that is requested after the payer disputed the payment and before a polled list shows
 * the dispute.
 */
const refundTooLate: Partial<OrderPlan> = {
  ...disputed('4837', 3 * HOUR_MS),
  refunds: [{ percent: 100, afterMs: 12 * HOUR_MS }],
};

/** The order of each golden file, by the file's name: its differences from `plan`. */
const CHANGES: Readonly<Record<string, Partial<OrderPlan>>> = {
  'card-automatic': card,
  'card-manual': { ...card, capture: { policy: 'manual' }, capturesAfterMs: 30 * HOUR_MS },
  'card-delayed': { ...card, capture: { policy: 'delayed', delayMs: 50 * HOUR_MS } },
  'card-interrupted': { ...card, reportsPageCompleted: false },
  'card-refused-then-paid': tries('card', '51', '00'),
  'card-left-then-paid': tries('card', null, '00'),
  'cancelled-before-paying': { cancels: { from: 'placed', afterMs: HOUR_MS } },
  'cancelled-after-authorization': {
    ...card,
    capture: { policy: 'manual' },
    cancels: { from: 'authorized', afterMs: HOUR_MS },
  },
  'expired-unpaid': tries('card', '51'),
  'authorization-expired': { ...card, capture: { policy: 'manual' } },
  'intent-refused': { amountMinor: REFUSED_AMOUNT_MINOR },
  'cancelled-at-provider': { ...card, capture: { policy: 'manual' }, merchant: 'cancels' },
  'lost-before-cut-off': { ...card, merchant: 'cancels' },
  'refunded-in-part': { ...card, ...refunds(30, 50) },
  'refunded-whole': { ...card, ...refunds(100) },
  'refunded-at-provider': { ...card, merchant: 'refunds' },
  'charged-back': { ...card, ...disputed('4837') },
  'charged-back-after-refund': { ...card, ...refunds(30), ...disputed('45') },
  'charged-back-and-won': { ...card, ...refunds(30), ...decided('won') },
  'charged-back-and-lost': { ...card, ...decided('lost') },
  'refund-of-disputed': { ...card, ...refundTooLate },
  'debit-paid': debit,
  'debit-returned-before-capture': {
    ...debit,
    ...refunds(100),
    scenario: { returned: 'AM04', disputed: null },
  },
  'debit-returned-after-capture': { ...debit, ...disputed('MD06') },
  'mandate-paid': mandate('G'),
  'mandate-refused': mandate('R'),
  'mandate-unsigned': mandate('U'),
  // The files below were written by releases in which captures have ids.
  'capture-with-id': card,
  'capture-with-id-by-platform': {
    ...card,
    capture: { policy: 'manual' },
    capturesAfterMs: 30 * HOUR_MS,
    ...refunds(30, 50),
  },
  'capture-with-id-of-debit': { ...debit, ...disputed('MD06') },
  'capture-with-id-failed': { ...card, merchant: 'cancels' },
  // The files below were written by releases in which attempts show their method.
  'method-shown-of-card': tries('card', '51', '00'),
  'method-shown-of-mandate': mandate('G'),
  'unknown-outcomes': { ...card, ...refunds(100) },
};

export interface GoldenKind {
  readonly name: string;
  readonly plan: OrderPlan;
  /** The probability that a call to the provider fails. */
  readonly faults: number;
}

export const GOLDEN_KINDS: readonly GoldenKind[] = Object.entries(CHANGES).map(
  ([name, change]) => ({
    name,
    plan: { ...plan, ...change },
    faults: name === 'unknown-outcomes' ? 0.5 : 0,
  }),
);
