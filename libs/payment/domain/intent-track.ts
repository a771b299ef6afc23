import type { IntentPhase } from './payment.js';

/** The way of a card payment and of a direct debit, from the intent's creation to the money. */
const TRACKS = {
  card: ['open', 'authorized', 'to_capture', 'capture_sent', 'captured'],
  sepa: ['open', 'processing', 'capture_sent', 'captured'],
} as const satisfies Record<string, readonly IntentPhase[]>;

export type Method = keyof typeof TRACKS;

type Exit = 'canceled' | 'expired' | 'returned';

/**
 * From where to where on its track an intent may leave it.
 * docs/provider/payments-completion.md#states.
 */
const EXITS: Record<Exit, Partial<Record<Method, { first: IntentPhase; last: IntentPhase }>>> = {
  canceled: {
    card: { first: 'open', last: 'to_capture' },
    sepa: { first: 'open', last: 'processing' },
  },
  expired: { card: { first: 'authorized', last: 'authorized' } },
  returned: { sepa: { first: 'processing', last: 'capture_sent' } },
};

const PHASES: Readonly<Record<string, IntentPhase>> = {
  open: 'open',
  processing: 'processing',
  authorized: 'authorized',
  to_capture: 'to_capture',
  capture_sent: 'capture_sent',
  captured: 'captured',
  canceled: 'canceled',
};

/** The phase that an intent's status means; `null` for one that is not ours. */
export const phaseOf = (status: string, method: Method): IntentPhase | null => {
  // `unpaid` is a returned direct debit or an expired authorization.
  // docs/provider/payments-completion.md#states.
  if (status === 'unpaid') return method === 'sepa' ? 'returned' : 'expired';
  return PHASES[status] ?? null;
};

const isExit = (phase: IntentPhase): phase is Exit => phase in EXITS;

/**
 * The phases that lie between what we know and what is observed, the observed one last.
 * Empty: nothing new, or a read that is older than what we know. `null`: the two cannot both be
 * true, whatever the order of the reads.
 */
export const phasesBetween = (
  known: IntentPhase,
  observed: IntentPhase,
  method: Method,
): readonly IntentPhase[] | null => {
  if (known === observed) return [];
  const track: readonly IntentPhase[] = TRACKS[method];
  if (isExit(known)) {
    const exit = EXITS[known][method];
    const couldPrecede =
      exit !== undefined &&
      track.includes(observed) &&
      track.indexOf(observed) <= track.indexOf(exit.last);
    return couldPrecede ? [] : null;
  }
  const from = track.indexOf(known);
  if (from === -1) return null;
  if (isExit(observed)) {
    const exit = EXITS[observed][method];
    if (exit === undefined || from > track.indexOf(exit.last)) return null;
    return [...track.slice(from + 1, track.indexOf(exit.first) + 1), observed];
  }
  const to = track.indexOf(observed);
  if (to === -1) return null;
  return track.slice(from + 1, to + 1);
};

/**
 * Whether an intent that is in `known` has been in `status` (of the intent, or of an attempt of it;
 * `null` before the bank has answered) or beyond: then a look at it would show nothing new. While
 * an intent is open its attempts come and go, so no status of an open one is ever passed.
 */
export const hasPassed = (known: IntentPhase, status: string | null): boolean =>
  known !== 'open' &&
  (['card', 'sepa'] as const).some((method) => {
    const shown = status === null ? 'open' : phaseOf(status, method);
    return shown !== null && phasesBetween(known, shown, method)?.length === 0;
  });
