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
import { evolve, isRecorded } from './payout-evolve.js';
import type { AnnouncedPayout, Payout } from './payout.js';

type Observe = PayoutCommand & { type: 'ObservePayout' };
type MismatchObserved = Extract<PayoutEvent, { type: 'PayoutMismatchObserved' }>;

/**
 * docs/provider/payments-completion.md#states. `failed` may follow each of these statuses, also
 * `paid`: the bank may return a transfer later.
 */
const TRACK: readonly PayoutStatus[] = ['pending', 'to_pay', 'sent', 'paid'];

const isStatus = (text: string): text is PayoutStatus =>
  text === 'failed' || (TRACK as readonly string[]).includes(text);

const totalText = ({ count, amountMinor, feesMinor }: LineTotal): string =>
  `${count} ${amountMinor} ${feesMinor}`;

/** The totals as a string for comparison; equal strings mean equal totals. */
const totalsText = (totals: PayoutTotals): string =>
  LINE_KINDS.flatMap((kind) =>
    METHODS.map((method) => `${kind} ${method} ${totalText(totals[kind][method])}`),
  ).join(', ');

/** The fields of a payout that do not change once it was sent, as text. */
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

const mismatch = (
  aspect: PayoutAspect,
  expected: string,
  observed: string,
  at: Observe['at'],
): MismatchObserved => ({ type: 'PayoutMismatchObserved', aspect, expected, observed, at });

const contradictions = (payout: AnnouncedPayout, command: Observe): readonly MismatchObserved[] => {
  const { account, observation, at } = command;
  const { terms } = payout;
  if (account.accountId !== terms.accountId) {
    return [mismatch('account', terms.accountId, account.accountId, at)];
  }
  return FIXED.flatMap(([aspect, expectedOf, observedOf]) => {
    const [expected, observed] = [expectedOf(terms), observedOf(observation)];
    return expected === observed ? [] : [mismatch(aspect, expected, observed, at)];
  });
};

/**
 * The corrections of lines are reversed when the payout fails: its lines become part of another
 * payout, which may show other money for them.
 */
const reversals = ({ lineCorrections }: AnnouncedPayout, at: Observe['at']): PayoutEvent[] =>
  lineCorrections.map(({ amountMinor, feesMinor, ...line }) => ({
    type: 'PayoutLineCorrected',
    ...line,
    amountMinor: 0 - amountMinor,
    feesMinor: 0 - feesMinor,
    at,
  }));

/**
 * The changes from the recorded to the observed status. The status only moves forward: an older
 * read changes nothing. That a failed payout was paid is recorded as a mismatch.
 */
const movement = (payout: AnnouncedPayout, command: Observe): readonly PayoutEvent[] => {
  const { observation, at } = command;
  const { status, bankDate } = observation;
  if (!isStatus(status) || status === 'pending' || status === payout.status) return [];
  const changed: PayoutEvent = { type: 'PayoutStatusChanged', status, bankDate, at };
  if (status === 'failed') return [changed, ...reversals(payout, at)];
  if (payout.status === 'failed') {
    return status === 'paid' ? [mismatch('status', 'failed', 'paid', at)] : [];
  }
  if (TRACK.indexOf(status) < TRACK.indexOf(payout.status)) return [];
  return [changed];
};

const announced = ({ account, observation, at }: Observe): PayoutEvent => {
  const { currency, status: _status, bankDate: _dateBank, ...figures } = observation;
  if (!isCurrency(currency)) {
    throw new Rejection(
      'invalid_currency',
      `a payout in ${currency} is not supported: the ledger supports no such currency`,
    );
  }
  return { type: 'PayoutAnnounced', ...account, ...figures, currency, at };
};

const newOnes = (payout: AnnouncedPayout, events: readonly PayoutEvent[]): PayoutEvent[] =>
  events.filter((event) => event.type !== 'PayoutMismatchObserved' || !isRecorded(payout, event));

/**
 * If one of these fields differs, the read shows a different payout: only the mismatch is recorded.
 */
const OF_OTHER_MONEY: ReadonlySet<PayoutAspect> = new Set(['account', 'currency']);

/**
 * Whether a read with another amount shows new figures of the payout: until the payout is sent, the
 * provider may still add lines to it, and the ledger does not contain it.
 */
const mayGrow = ({ status }: AnnouncedPayout): boolean =>
  status === 'pending' || status === 'to_pay';

/** Records the figures of the read, and the status that it shows. */
const withFigures = (before: Payout, command: Observe): readonly PayoutEvent[] => {
  const first = announced(command);
  const after = evolve(before, first);
  return after.status === 'none' ? [first] : [first, ...movement(after, command)];
};

/**
 * Moves the recorded state of a payout forward to the state that the read shows, and records each
 * mismatch once. So the newest read decides the state, whichever older reads were recorded, how
 * often and in whatever order.
 */
export const observePayout = (before: Payout, command: Observe): readonly PayoutEvent[] => {
  if (before.status === 'none') return withFigures(before, command);
  const clashes = contradictions(before, command);
  const isOther = clashes.some(({ aspect }) => OF_OTHER_MONEY.has(aspect));
  if (isOther) return newOnes(before, clashes);
  const hasNewAmount = clashes.some(({ aspect }) => aspect === 'amount');
  if (hasNewAmount && mayGrow(before)) return withFigures(before, command);
  return newOnes(before, [...clashes, ...movement(before, command)]);
};
