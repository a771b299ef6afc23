import { checkoutInStep } from '#sagas';
import { exists, isSettled, type Payment, PAYMENT_READ_DEADLINE } from '#payment';
import type { Broken, Check, PaymentStory } from './check.js';

const ORDER_ENDS = new Set(['paid', 'canceled', 'expired', 'failed']);

const sagasEnd: Check = {
  invariant: 4,
  name: 'each order has its saga, and each saga has ended without an open deadline',
  verify: ({ orders, payments, facts }) => {
    const sagas = new Map(facts.sagas.map((saga) => [saga.key, saga]));
    const broken = orders.flatMap(({ id, order }): Broken[] => {
      const saga = sagas.get(id);
      if (saga === undefined) return [{ id, why: 'has no saga' }];
      if (saga.done) return [];
      const kinds = facts.deadlines.filter(({ key }) => key === id).map(({ kind }) => kind);
      const waits = kinds.length === 0 ? 'nothing' : kinds.join(', ');
      return [{ id, why: `its saga still waits for ${waits}; the order is ${order.status}` }];
    });
    // The captured payments. The worker polls them for a year, because the payer may dispute them.
    const watched = new Set(
      payments.filter(({ payment }) => payment.status === 'captured').map(({ id }) => id),
    );
    const left = facts.deadlines
      .filter(({ kind, key }) => kind !== PAYMENT_READ_DEADLINE || !watched.has(key))
      .map(({ kind, key }): Broken => ({ id: key, why: `the deadline ${kind} is still open` }));
    return { figure: `${facts.sagas.length} sagas`, broken: [...broken, ...left] };
  },
};

const nothingWaits: Check = {
  invariant: 4,
  name: 'no saga waits for a retry, no webhook is unhandled',
  verify: ({ facts }) => ({
    figure: `${facts.waiting.length} failed reactions, ${facts.webhooksOpen.length} open webhooks`,
    broken: [
      ...facts.waiting.map(({ saga, key, error }): Broken => ({
        id: key,
        why: `${saga} could not react: ${error}`,
      })),
      ...facts.webhooksOpen.map(({ id }): Broken => ({
        id: `webhook ${id}`,
        why: 'was not handled',
      })),
    ],
  }),
};

/**
 * From this number of failed reactions on, at least one event must have been committed earlier than
 * the events of the reaction to it. With fewer failures, there may be no such event by chance.
 */
const ENOUGH_FAILED = 5;

/**
 * Normally the events of a reaction are committed together with the event that caused it. If the
 * reaction fails, the causing event must be committed alone, and a retry must commit the reaction's
 * events later.
 */
const factsKept: Check = {
  invariant: 4,
  name: 'an event is committed when a reaction to it fails, and the reaction is retried',
  verify: ({ facts: { log, reactionFaults } }) => {
    if (reactionFaults === null)
      return { isSkipped: true, figure: 'the run made no reaction fail', broken: [] };
    const causes = new Map(log.map(({ eventId, cursor }) => [eventId, cursor.transactionId]));
    const later = new Set(
      log
        .filter(({ metadata: { actor } }) => actor.startsWith('saga:'))
        .filter(
          ({ metadata: { causationId }, cursor }) =>
            (causes.get(causationId) ?? cursor.transactionId) !== cursor.transactionId,
        )
        .map(({ metadata: { causationId } }) => causationId),
    ).size;
    const {
      failed: { length: failed },
      atLeast,
    } = reactionFaults;
    const broken: Broken[] = [];
    if (failed < atLeast)
      broken.push({
        id: 'the run',
        why: 'this check needs failed reactions, but none failed: run more orders',
      });
    if (failed >= ENOUGH_FAILED && later === 0) {
      broken.push({
        id: 'all events',
        why: 'no saga that had failed to react to an event reacted later: there was no retry',
      });
    }
    return {
      figure: `${failed} reactions failed; ${later} events were committed before their reaction succeeded`,
      broken,
    };
  },
};

/**
 * Whether an operator caused the event. Operators' processes are not made to fail, so their events
 * do not count.
 */
const isOfOperator = (actor: string): boolean => /^(ops|user):/.test(actor);

/**
 * If an event arrives while an earlier reaction of the saga waits for its retry, the saga must
 * react to this event after the retry.
 */
const nothingMissed: Check = {
  invariant: 4,
  name: 'the checkout saga reacts to every event of its order, also after a failed reaction',
  verify: ({ facts: { log, reactionFaults, commits } }) => {
    if (reactionFaults === null || commits === null)
      return { isSkipped: true, figure: 'the run made no reaction fail', broken: [] };
    const { succeeded, atLeast } = reactionFaults;
    const concerned = log.filter(
      (event) => !isOfOperator(event.metadata.actor) && checkoutInStep.keyOf(event) !== null,
    );
    const tame: Broken[] =
      commits.queued >= atLeast
        ? []
        : [{ id: 'the run', why: 'no event arrived while a failed reaction waited for its retry' }];
    const missed = concerned
      .filter(({ streamId, version }) => !succeeded.has(`${streamId}/${version}`))
      .map(({ streamId, version, type }): Broken => ({
        id: streamId,
        why: `no reaction to its event ${version}, ${type}`,
      }));
    return {
      figure: `${concerned.length} events; ${commits.queued} times, events waited behind a failed reaction`,
      broken: [...tame, ...missed],
    };
  },
};

const ordersEnd: Check = {
  invariant: 4,
  name: 'each order has ended',
  verify: ({ orders }) => {
    const counts = new Map<string, number>();
    const broken = orders.flatMap(({ id, order: { status } }): Broken[] => {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      return ORDER_ENDS.has(status) ? [] : [{ id, why: `is ${status}` }];
    });
    const figure = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
    return { figure, broken };
  },
};

/** The statuses that our payment may have, by the status of the provider's intent. */
const ENDINGS_OF: Readonly<Record<string, readonly Payment['status'][]>> = {
  captured: ['captured'],
  canceled: ['canceled'],
  unpaid: ['expired', 'returned'],
};

const differenceOf = ({ payment, intents, events }: PaymentStory): string | null => {
  if (!isSettled(payment)) return `is still ${payment.status}`;
  const unknown = 'unknown' in payment ? payment.unknown : [];
  if (unknown.length > 0) return `the result of ${unknown.join(', ')} is unknown`;
  const mismatch = events.find(({ type }) => type === 'PaymentMismatchObserved');
  if (mismatch !== undefined) return `has a status mismatch: ${JSON.stringify(mismatch)}`;
  if (!exists(payment)) return null;
  const theirs = intents[0]?.status ?? 'nothing';
  if (ENDINGS_OF[theirs]?.includes(payment.status) === true) return null;
  return `is ${payment.status}, but the provider shows ${theirs}`;
};

const sameEnding: Check = {
  invariant: 6,
  name: 'each payment has ended with the status that the provider shows, without a status mismatch',
  verify: ({ payments }) => {
    const counts = new Map<string, number>();
    const broken = payments.flatMap((one): Broken[] => {
      counts.set(one.payment.status, (counts.get(one.payment.status) ?? 0) + 1);
      const why = differenceOf(one);
      return why === null ? [] : [{ id: one.id, why }];
    });
    const figure = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
    return { figure, broken };
  },
};

export const ENDING_CHECKS: readonly Check[] = [
  sagasEnd,
  nothingWaits,
  factsKept,
  nothingMissed,
  ordersEnd,
  sameEnding,
];
