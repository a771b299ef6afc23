import { type Broken, type Check, countOf } from './check.js';

const acceptedExists: Check = {
  invariant: 0,
  name: 'each order that was accepted with 201 exists, and no other does',
  verify: ({ orders, facts }) => {
    const known = new Set(
      orders.filter((one) => countOf(one, 'OrderPlaced') === 1).map(({ id }) => id),
    );
    const accepted = facts.accepted.flatMap(({ orderIds }) => orderIds);
    const promised = new Set(accepted);
    return {
      figure: `${accepted.length} accepted, ${orders.length} in the log`,
      broken: [
        ...accepted
          .filter((id) => !known.has(id))
          .map((id): Broken => ({ id, why: 'was accepted and does not exist' })),
        ...orders
          .filter(({ id }) => !promised.has(id))
          .map(({ id }): Broken => ({ id, why: 'exists and was never accepted' })),
      ],
    };
  },
};

const oneOrderAKey: Check = {
  invariant: 0,
  name: 'each Idempotency-Key and each reference has led to one order',
  verify: ({ orders, facts }) => {
    const broken = facts.accepted.flatMap(({ key, orderIds }): Broken[] =>
      orderIds.length === 1 ? [] : [{ id: orderIds.join(' '), why: `all under the key ${key}` }],
    );
    const byReference = new Map<string, string>();
    for (const { id, order } of orders) {
      const { reference } = order.terms;
      const other = byReference.get(reference);
      if (other !== undefined) broken.push({ id, why: `has the reference of ${other}` });
      byReference.set(reference, id);
    }
    return { figure: `${facts.accepted.length} keys, ${byReference.size} references`, broken };
  },
};

/**
 * An order that was shown as authorized stays authorized: a capture refused as not authorized was
 * decided on an older state.
 */
const capturesTaken: Check = {
  invariant: 0,
  name: 'no capture is refused as not authorized once the order was shown as authorized',
  verify: ({ facts }) => {
    const refused = facts.accepted.flatMap(({ orderIds, refusedCaptures }) =>
      refusedCaptures.map((code) => ({ id: orderIds.join(' '), code })),
    );
    const wrong = refused.filter(({ code }) => code === 'not_authorized');
    return {
      figure: `${refused.length - wrong.length} refused otherwise`,
      broken: wrong.map(({ id, code }): Broken => ({
        id,
        why: `its capture was refused: ${code}`,
      })),
    };
  },
};

export const PROMISE_CHECKS: readonly Check[] = [acceptedExists, oneOrderAKey, capturesTaken];
