import type { IntentPhase } from './payment.js';

/**
 * The phases of a card payment and of a direct debit, from the intent's creation to its capture.
 */
const TRACKS = {
  card: ['open', 'authorized', 'to_capture', 'capture_sent', 'captured'],
  sepa: ['open', 'processing', 'capture_sent', 'captured'],
} as const satisfies Record<string, readonly IntentPhase[]>;

export type Method = keyof typeof TRACKS;

type Exit = 'canceled' | 'expired' | 'returned';

/**
 * The first and the last phase from which an intent can end without being captured.
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

/** The phase of an intent's status; `null` for an unrecognised status. */
export const phaseOf = (status: string, method: Method): IntentPhase | null => {
  // `unpaid` is a returned direct debit or an expired authorization.
  // docs/provider/payments-completion.md#states.
  if (status === 'unpaid') return method === 'sepa' ? 'returned' : 'expired';
  return PHASES[status] ?? null;
};

const isExit = (phase: IntentPhase): phase is Exit => phase in EXITS;

/**
 * The phases after the recorded phase, up to the observed phase. Empty if the read shows nothing
 * new, or is older than the recorded phase. `null` if the observed status contradicts the recorded
 * phase: no order of reads explains it.
 */
export const phasesBetween = (
  known: IntentPhase,
  observed: IntentPhase,
  method: Method,
): readonly IntentPhase[] | null => {
  // An open intent precedes every phase of both methods, because the payer may change the method.
  if (known === observed || observed === 'open') return [];
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
 * Whether `status` is the present or an earlier status of an intent in phase `known`, so that a
 * read of the intent would show nothing new. `status` is the status of the intent or of an attempt,
 * or `null` if the bank has not responded yet. False for an open intent, because the payer may
 * begin a new attempt at any time.
 */
export const hasPassed = (known: IntentPhase, status: string | null): boolean =>
  known !== 'open' &&
  (['card', 'sepa'] as const).some((method) => {
    const shown = status === null ? 'open' : phaseOf(status, method);
    return shown !== null && phasesBetween(known, shown, method)?.length === 0;
  });
