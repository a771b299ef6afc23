import { type Broken, type Check, countOf } from './check.js';

const acceptedExists: Check = {
  invariant: 0,
  name: 'each order that was accepted with 201 exists, and no other order exists',
  verify: ({ orders, facts }) => {
    const known = new Set(
      orders.filter((one) => countOf(one, 'OrderPlaced') === 1).map(({ id }) => id),
    );
    const accepted = facts.accepted.flatMap(({ orderIds }) => orderIds);
    const promised = new Set(accepted);
    return {
      figure: `${accepted.length} orders accepted, ${orders.length} in the log`,
      broken: [
        ...accepted
          .filter((id) => !known.has(id))
          .map((id): Broken => ({ id, why: 'was accepted with 201, but is not in the log' })),
        ...orders
          .filter(({ id }) => !promised.has(id))
          .map(({ id }): Broken => ({ id, why: 'is in the log, but was never accepted with 201' })),
      ],
    };
  },
};

const oneOrderAKey: Check = {
  invariant: 0,
  name: 'each Idempotency-Key and each reference has led to one order',
  verify: ({ orders, facts }) => {
    const broken = facts.accepted.flatMap(({ key, orderIds }): Broken[] =>
      orderIds.length === 1
        ? []
        : [{ id: orderIds.join(' '), why: `several orders have the Idempotency-Key ${key}` }],
    );
    const byReference = new Map<string, string>();
    for (const { id, order } of orders) {
      const { reference } = order.terms;
      const other = byReference.get(reference);
      if (other !== undefined)
        broken.push({ id, why: `has the same reference as the order ${other}` });
      byReference.set(reference, id);
    }
    return { figure: `${facts.accepted.length} keys, ${byReference.size} references`, broken };
  },
};

/**
 * After one api has shown an order as authorized, no api may refuse the capture as not authorized.
 * Such an api would have decided on an outdated cached state.
 */
const capturesTaken: Check = {
  invariant: 0,
  name: 'no capture is refused as not authorized after the order was shown as authorized',
  verify: ({ facts }) => {
    const refused = facts.accepted.flatMap(({ orderIds, refusedCaptures }) =>
      refusedCaptures.map((code) => ({ id: orderIds.join(' '), code })),
    );
    const wrong = refused.filter(({ code }) => code === 'not_authorized');
    return {
      figure: `${refused.length - wrong.length} captures refused for other reasons`,
      broken: wrong.map(({ id, code }): Broken => ({
        id,
        why: `its capture was refused: ${code}`,
      })),
    };
  },
};

export const PROMISE_CHECKS: readonly Check[] = [acceptedExists, oneOrderAKey, capturesTaken];
