import { isCurrency, Rejection } from '#kernel';
import { LINE_KINDS, METHODS } from './lines.js';
import type { ObservedPayout, PayoutCommand } from './payout-command.js';
import type {
  LineTotal,
  PayoutAspect,
  PayoutEvent,
  PayoutStatus,
  PayoutTerms,
  PayoutTotals,
} from './payout-event.js';
import { evolve, isTold } from './payout-evolve.js';
import type { AnnouncedPayout, Payout } from './payout.js';

type Observe = PayoutCommand & { type: 'ObservePayout' };
type Told = Extract<PayoutEvent, { type: 'PayoutMismatchObserved' }>;

/** docs/provider/payments-completion.md#states. `failed` may follow on any of them but `paid`. */
const TRACK: readonly PayoutStatus[] = ['pending', 'to_pay', 'sent', 'paid'];

const isStatus = (text: string): text is PayoutStatus =>
  text === 'failed' || (TRACK as readonly string[]).includes(text);

const totalText = ({ count, amountMinor, feesMinor }: LineTotal): string =>
  `${count} ${amountMinor} ${feesMinor}`;

/** The totals as one text, which two lists of figures share only when they are alike. */
const totalsText = (totals: PayoutTotals): string =>
  LINE_KINDS.flatMap((kind) =>
    METHODS.map((method) => `${kind} ${method} ${totalText(totals[kind][method])}`),
  ).join(', ');

/** What never changes of a payout, each as a text. */
const FIXED: readonly (readonly [
  PayoutAspect,
  (terms: PayoutTerms) => string,
  (seen: ObservedPayout) => string,
])[] = [
  ['reference', (terms) => terms.reference, (seen) => seen.reference],
  ['currency', (terms) => terms.currency, (seen) => seen.currency],
  ['amount', (terms) => String(terms.amountMinor), (seen) => String(seen.amountMinor)],
  ['fees', (terms) => String(terms.feesMinor), (seen) => String(seen.feesMinor)],
  ['fees_vat', (terms) => String(terms.feesVatMinor), (seen) => String(seen.feesVatMinor)],
  ['date', (terms) => terms.date, (seen) => seen.date],
  ['totals', (terms) => totalsText(terms.totals), (seen) => totalsText(seen.totals)],
];

const told = (
  aspect: PayoutAspect,
  expected: string,
  observed: string,
  at: Observe['at'],
): Told => ({ type: 'PayoutMismatchObserved', aspect, expected, observed, at });

const contradictions = (payout: AnnouncedPayout, command: Observe): readonly Told[] => {
  const { account, observation, at } = command;
  const { terms } = payout;
  if (account.accountId !== terms.accountId) {
    return [told('account', terms.accountId, account.accountId, at)];
  }
  return FIXED.flatMap(([aspect, expectedOf, observedOf]) => {
    const [expected, observed] = [expectedOf(terms), observedOf(observation)];
    return expected === observed ? [] : [told(aspect, expected, observed, at)];
  });
};

/** Forward only: an older look tells nothing, and two ends cannot both be. */
const movement = (payout: AnnouncedPayout, command: Observe): readonly PayoutEvent[] => {
  const { observation, at } = command;
  const { status, dateBank } = observation;
  if (!isStatus(status) || status === 'pending' || status === payout.status) return [];
  if (status === 'failed' || payout.status === 'failed') {
    const other = status === 'failed' ? payout.status : status;
    if (other === 'paid') return [told('status', payout.status, status, at)];
    return payout.status === 'failed' ? [] : [{ type: 'PayoutMoved', status, dateBank, at }];
  }
  if (TRACK.indexOf(status) < TRACK.indexOf(payout.status)) return [];
  return [{ type: 'PayoutMoved', status, dateBank, at }];
};

const announced = ({ account, observation, at }: Observe): PayoutEvent => {
  const { currency, status: _status, dateBank: _dateBank, ...figures } = observation;
  if (!isCurrency(currency)) {
    throw new Rejection('invalid_currency', `a payout in ${currency} cannot be accounted for`);
  }
  return { type: 'PayoutAnnounced', ...account, ...figures, currency, at };
};

const newOnes = (payout: AnnouncedPayout, events: readonly PayoutEvent[]): PayoutEvent[] =>
  events.filter((event) => event.type !== 'PayoutMismatchObserved' || !isTold(payout, event));

/** A look that differs in these is of other money: nothing else is taken from it. */
const OF_OTHER_MONEY: ReadonlySet<PayoutAspect> = new Set(['account', 'currency', 'amount']);

/**
 * Moves our state forward to what the provider shows, and tells a contradiction once. So any order
 * and repetition of looks ends the same.
 */
export const observePayout = (before: Payout, command: Observe): readonly PayoutEvent[] => {
  if (before.status !== 'none') {
    const clashes = contradictions(before, command);
    const isOther = clashes.some(({ aspect }) => OF_OTHER_MONEY.has(aspect));
    return newOnes(before, [...clashes, ...(isOther ? [] : movement(before, command))]);
  }
  const first = announced(command);
  const after = evolve(before, first);
  return after.status === 'none' ? [first] : [first, ...movement(after, command)];
};
