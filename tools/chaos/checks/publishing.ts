import type { PublishedEvent } from '../../stack/published-event.js';
import { type Broken, type Check, groupBy, isLongChaos } from './check.js';

const refOf = ({ streamId, version }: Pick<PublishedEvent, 'streamId' | 'version'>): string =>
  `${streamId}/${version}`;

const contentOf = ({ eventId, type, data }: Pick<PublishedEvent, 'eventId' | 'type' | 'data'>) =>
  JSON.stringify([eventId, type, data]);

const everyEventPublished: Check = {
  invariant: 3,
  name: 'each topic has the committed events, with the same content, and no others',
  verify: ({ facts }) => {
    const committed = new Map(facts.log.map((event) => [refOf(event), contentOf(event)]));
    const published = new Set(facts.published.map(({ event }) => refOf(event)));
    const broken: Broken[] = [];
    for (const ref of committed.keys()) {
      if (!published.has(ref)) broken.push({ id: ref, why: 'was committed, but never published' });
    }
    for (const { event } of facts.published) {
      const id = refOf(event);
      const known = committed.get(id);
      if (known === undefined) broken.push({ id, why: 'was published, but never committed' });
      else if (known !== contentOf(event))
        broken.push({ id, why: 'was published with other content than was committed' });
    }
    const figure = `${committed.size} events, ${facts.published.length} messages`;
    return { figure, broken };
  },
};

const publishedAgain: Check = {
  invariant: 3,
  name: 'after the relay’s cursor was moved back, the events that it had passed are published again',
  verify: ({ facts }) => {
    const { log, published, relaySetBack } = facts;
    if (relaySetBack === null) {
      const isTame = isLongChaos(facts);
      const broken = isTame ? [{ id: 'the run', why: 'the cursor was not moved back' }] : [];
      return { isSkipped: !isTame, figure: 'the cursor was not moved back', broken };
    }
    const messages = groupBy(published, ({ event }) => refOf(event));
    const broken = log.slice(0, relaySetBack).flatMap((event): Broken[] => {
      const id = refOf(event);
      return (messages.get(id)?.length ?? 0) >= 2 ? [] : [{ id, why: 'was not published again' }];
    });
    return { figure: `${relaySetBack} events`, broken };
  },
};

const inOrder: Check = {
  invariant: 3,
  name: 'the first occurrences of a stream’s events are in version order, on one partition',
  verify: ({ facts }) => {
    const last = new Map<string, number>();
    const home = new Map<string, string>();
    const broken: Broken[] = [];
    for (const { topic, partition, event } of facts.published) {
      const { streamId: id, version } = event;
      const place = `${topic}/${partition}`;
      if ((home.get(id) ?? place) !== place)
        broken.push({ id, why: 'has messages on two partitions' });
      home.set(id, place);
      const seen = last.get(id) ?? 0;
      if (version > seen + 1)
        broken.push({ id, why: `version ${version} was published directly after version ${seen}` });
      last.set(id, Math.max(seen, version));
    }
    const repeated = facts.published.length - facts.log.length;
    return { figure: `${last.size} streams, ${repeated} messages repeated`, broken };
  },
};

const listIsFold: Check = {
  invariant: 3,
  name: 'the projection order_list equals the orders computed from the log',
  verify: ({ orders, facts }) => {
    const rows = new Map(facts.orderList.map((row) => [row.orderId, row]));
    const broken = orders.flatMap(({ id, order, version }): Broken[] => {
      const { amountMinor, reference } = order.terms;
      const paymentId = order.payments.at(-1) ?? null;
      const wanted = JSON.stringify([id, order.status, paymentId, amountMinor, reference, version]);
      const row = rows.get(id);
      if (row === undefined) return [{ id, why: 'is not in the list' }];
      const found = JSON.stringify([
        row.orderId,
        row.status,
        row.paymentId,
        row.amountMinor,
        row.reference,
        row.version,
      ]);
      return wanted === found
        ? []
        : [{ id, why: `the list has ${found}, but the log has ${wanted}` }];
    });
    const known = new Set(orders.map(({ id }) => id));
    for (const id of rows.keys()) if (!known.has(id)) broken.push({ id, why: 'is not in the log' });
    return { figure: `${rows.size} rows`, broken };
  },
};

export const PUBLISHING_CHECKS: readonly Check[] = [
  everyEventPublished,
  publishedAgain,
  inOrder,
  listIsFold,
];
