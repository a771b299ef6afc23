import type { OrderEvent } from '#order';
import type { FulfilmentFacts } from '../facts.js';
import { type Broken, type Check, type OrderStory, type Verdict } from './check.js';

/** Builds a check of the fulfilment example, a separate service that handles our events. */
const ofService =
  (verify: (service: FulfilmentFacts, orders: readonly OrderStory[]) => Verdict): Check['verify'] =>
  ({ facts: { fulfilment }, orders }) =>
    fulfilment === null
      ? { isSkipped: true, figure: 'the fulfilment example did not run', broken: [] }
      : verify(fulfilment, orders);

/**
 * The step that the fulfilment service must take for an event; null if the event requires no step.
 */
const stepFor = (event: OrderEvent, amountMinor: number): string | null => {
  switch (event.type) {
    case 'OrderPaid':
      return 'shipped';
    case 'OrderChargedBack':
    case 'OrderDebitReturned':
    case 'OrderPaymentVoided':
      return 'stopped';
    case 'OrderRefunded':
      return event.refundedMinor >= amountMinor ? 'returned' : null;
    case 'OrderPlaced':
    case 'OrderPaymentStarted':
    case 'OrderAuthorized':
    case 'OrderCaptured':
    case 'OrderCaptureCorrected':
    case 'OrderCancellationRequested':
    case 'OrderExpiryReached':
    case 'OrderCanceled':
    case 'OrderExpired':
    case 'OrderFailed':
    // A won dispute requires no step, because a stopped shipment stays stopped until an operator
    // decides otherwise.
    case 'OrderDisputeWon':
      return null;
  }
};

interface Due {
  readonly status: string;
  readonly amountMinor: number;
  readonly steps: string;
}

/**
 * The steps that the fulfilment service must have taken according to the event log; null if the
 * order was never paid.
 */
const dueFor = ({ events }: OrderStory): Due | null => {
  const paid = events.find((event) => event.type === 'OrderPaid');
  if (paid === undefined) return null;
  const amountMinor =
    events.findLast(
      (event) => event.type === 'OrderCaptured' || event.type === 'OrderCaptureCorrected',
    )?.paidMinor ?? paid.amountMinor;
  const steps = events.flatMap((event) => {
    const step = stepFor(event, amountMinor);
    return step === null ? [] : [{ step, because: event.type }];
  });
  return {
    amountMinor,
    status: steps.at(-1)?.step ?? '',
    steps: steps.map(({ step, because }) => `${step} by ${because}`).join(', '),
  };
};

const shippedOnce: Check = {
  invariant: 3,
  name:
    'the fulfilment service ships each paid order once, stops it when the money is returned, and ships ' +
    'nothing else',
  verify: ofService(({ shipments, steps }, orders) => {
    const broken: Broken[] = [];
    const counts = { shipped: 0, stopped: 0, returned: 0 };
    const found = new Map(shipments.map((one) => [one.orderId, one]));
    for (const order of orders) {
      const { id } = order;
      const due = dueFor(order);
      const shipment = found.get(id);
      if (due === null && shipment !== undefined)
        broken.push({ id, why: 'was shipped, but is not paid' });
      if (due === null) continue;
      if (shipment === undefined) {
        broken.push({ id, why: 'is paid, but was not shipped' });
        continue;
      }
      const done = steps
        .filter(({ orderId }) => orderId === id)
        .map(({ step, because }) => `${step} by ${because}`)
        .join(', ');
      const wanted = `${due.steps}; ${due.status}, ${due.amountMinor}`;
      const is = `${done}; ${shipment.status}, ${shipment.amountMinor}`;
      if (wanted !== is)
        broken.push({ id, why: `the service executed ${is}, but the log requires ${wanted}` });
      if (Object.hasOwn(counts, due.status)) counts[due.status as keyof typeof counts] += 1;
    }
    const known = new Set(orders.map(({ id }) => id));
    for (const { orderId: id } of shipments) {
      if (!known.has(id)) broken.push({ id, why: 'was shipped, but is not in the log' });
    }
    const figure = Object.entries(counts)
      .map(([status, count]) => `${count} ${status}`)
      .join(', ');
    return { figure, broken };
  }),
};

const everyEventOnce: Check = {
  invariant: 3,
  name: 'the fulfilment service has handled every event once, and has no open work',
  verify: ofService(({ streams, held, repeats, dropped, metrics }, orders) => {
    const broken: Broken[] = [];
    const taken = new Map(streams.map((one) => [one.streamId, one]));
    for (const { id, version } of orders) {
      const reached = taken.get(id)?.version ?? 0;
      if (reached !== version)
        broken.push({
          id,
          why: `the service has handled version ${reached}; the stream’s last version is ${version}`,
        });
    }
    const known = new Set(orders.map(({ id }) => id));
    for (const { streamId: id, blockedBy } of streams) {
      if (blockedBy !== null) broken.push({ id, why: `is blocked: ${blockedBy}` });
      if (!known.has(id)) broken.push({ id, why: 'is not in the log' });
    }
    for (const { streamId: id, version } of held) {
      broken.push({
        id,
        why: `version ${version} was not handled, but stored in a blocked stream or discarded`,
      });
    }
    for (const { streamId: id, version, handled } of repeats) {
      broken.push({ id, why: `version ${handled} was handled again, after version ${version}` });
    }
    for (const line of dropped)
      broken.push({ id: 'a message', why: `a message was dropped: ${line}` });
    const { lag, unconfirmed, foreign, undecodable } = metrics;
    for (const [name, count] of Object.entries({ lag, unconfirmed, foreign, undecodable })) {
      if (count !== 0)
        broken.push({ id: 'its metrics', why: `the counter ${name} is ${count}, and must be 0` });
    }
    return { figure: `${streams.length} streams, lag ${lag}`, broken };
  }),
};

export const FULFILMENT_CHECKS: readonly Check[] = [shippedOnce, everyEventOnce];
