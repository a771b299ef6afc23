import { exists } from '#payment';
import type { RefundFact } from '../facts.js';
import {
  type Broken,
  type Check,
  countOf,
  groupBy,
  isDebit,
  isLongChaos,
  type PaymentStory,
} from './check.js';

const oneIntent: Check = {
  invariant: 2,
  name: 'each payment has one intent at the provider, and each intent has a payment',
  verify: ({ payments, facts }) => {
    const broken = payments.flatMap(({ id, payment, intents }): Broken[] => {
      const isMade = exists(payment);
      const isSame = isMade && intents[0]?.id === payment.intentId;
      if (intents.length === (isMade ? 1 : 0) && (!isMade || isSame)) return [];
      return [
        {
          id,
          why: `the payment is ${payment.status}, with ${intents.length} intents at the provider`,
        },
      ];
    });
    const known = new Set(payments.map(({ id }) => id));
    for (const { id, orderId } of facts.intents) {
      if (!known.has(orderId ?? ''))
        broken.push({ id, why: `an intent for the unknown payment '${orderId}'` });
    }
    return { figure: `${facts.intents.length} intents for ${payments.length} payments`, broken };
  },
};

/** How often the provider executed a request. The provider records one event for each execution. */
const done = ({ providerEvents }: PaymentStory, type: string, status: string): number =>
  providerEvents.filter((event) => event.type === type && event.status === status).length;

const oneCapture: Check = {
  invariant: 2,
  name: 'each capture at the provider was requested, and executed once',
  verify: ({ payments }) => {
    let captures = 0;
    const broken = payments.flatMap((one): Broken[] => {
      const made = done(one, 'payment.to_captured', 'to_capture');
      captures += made;
      // The provider collects a signed debit without a capture request, so a debit counts as one
      // request.
      const asked = countOf(one, 'CaptureRequested') + (isDebit(one) ? 1 : 0);
      if (made <= Math.min(asked, 1)) return [];
      return [
        { id: one.id, why: `the capture was requested ${asked} times and executed ${made} times` },
      ];
    });
    return { figure: `${captures} captures`, broken };
  },
};

const oneCancel: Check = {
  invariant: 2,
  name: 'each cancellation at the provider was requested, and executed once',
  verify: ({ orders }) => {
    let cancels = 0;
    const broken = orders.flatMap(({ payments, accepted }) =>
      payments.flatMap((one, index): Broken[] => {
        const made = done(one, 'payment_intent.updated', 'canceled');
        cancels += made;
        const isTheirs = index === 0 && accepted?.canceledAtProvider === true;
        const asked = countOf(one, 'CancelRequested') + (isTheirs ? 1 : 0);
        if (made <= Math.min(asked, 1)) return [];
        return [
          {
            id: one.id,
            why: `the cancellation was requested ${asked} times and executed ${made} times`,
          },
        ];
      }),
    );
    return { figure: `${cancels} cancellations`, broken };
  },
};

const amountsOf = (refunds: readonly RefundFact[] = []): string =>
  refunds
    .map(({ amountMinor }) => amountMinor)
    .toSorted((a, b) => a - b)
    .join(', ') || 'none';

/** The statuses of an intent whose money the provider does not have, so that it makes no refund. */
const WITHOUT_MONEY = new Set(['canceled', 'unpaid']);

const oneRefund: Check = {
  invariant: 2,
  name: 'each requested refund is made once, and no other refund',
  verify: ({ facts }) => {
    const { refundsRequested, refundsMade } = facts;
    if (refundsRequested === null)
      return { isSkipped: true, figure: 'the run requested no refunds', broken: [] };
    const ended = new Set(
      facts.intents
        .filter(({ status }) => WITHOUT_MONEY.has(status))
        .map(({ orderId: paymentId }) => paymentId),
    );
    const due = refundsRequested.filter(({ paymentId }) => !ended.has(paymentId));
    const requested = groupBy(due, ({ paymentId }) => paymentId);
    const made = groupBy(refundsMade, ({ paymentId }) => paymentId);
    const broken = [...new Set([...requested.keys(), ...made.keys()])].flatMap((id): Broken[] => {
      const [wanted, found] = [amountsOf(requested.get(id)), amountsOf(made.get(id))];
      return wanted === found ? [] : [{ id, why: `requested: ${wanted}; made: ${found}` }];
    });
    if (requested.size === 0 && isLongChaos(facts))
      broken.push({ id: 'the run', why: 'no refund was requested' });
    return { figure: `${due.length} refunds of ${requested.size} payments`, broken };
  },
};

const REQUESTS = new Set([
  'IntentRequested',
  'CaptureRequested',
  'CancelRequested',
  'RefundRequested',
]);

const everyCallEnded: Check = {
  invariant: 4,
  name: 'each provider request has its job, and each job has ended',
  verify: ({ facts }) => {
    const requests = facts.log.filter(({ type }) => REQUESTS.has(type));
    const jobs = new Map(facts.effects.map((job) => [job.jobId, job]));
    const lost = requests
      .filter(({ eventId }) => !jobs.has(eventId))
      .map(({ streamId, type }): Broken => ({
        id: streamId,
        why: `there is no job for the event ${type}`,
      }));
    const open = facts.effects
      .filter(({ state }) => state !== 'done')
      .map(({ subjectId, kind, state, note }): Broken => ({
        id: subjectId,
        why: `the job ${kind} is still ${state}: ${note}`,
      }));
    return {
      figure: `${facts.effects.length} jobs for ${requests.length} requests`,
      broken: [...lost, ...open],
    };
  },
};

export const EFFECT_CHECKS: readonly Check[] = [
  oneIntent,
  oneCapture,
  oneCancel,
  oneRefund,
  everyCallEnded,
];
