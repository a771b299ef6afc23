import { randomInt } from 'node:crypto';
import pg from 'pg';
import { commitFacts } from '../../tools/chaos/commit-record.js';
import { checkAll, checkNamed } from '../../tools/chaos/checks/index.js';
import {
  type Facts,
  type FulfilmentFacts,
  fulfilmentFacts,
  orchestratorFacts,
  type TroubleFacts,
} from '../../tools/chaos/facts.js';
import type { LedgerFacts } from '../../tools/chaos/payouts.js';
import type { PlatformWebhookFacts } from '../../tools/chaos/platform-webhooks.js';
import { providerFacts } from '../../tools/chaos/provider-facts.js';
import type { RepairFacts } from '../../tools/chaos/repairs.js';
import { reportOf } from '../../tools/chaos/report.js';
import type { RowFacts } from '../../tools/chaos/row-record.js';
import { type ChaosEnd, factsOf, makeChaos } from '../../tools/chaos/run.js';
import { type OrderPlan, planOrders, withSuffix } from '../../tools/chaos/scenario.js';
import { startWithSandboxHere } from '../support/sandbox-here.js';
import { runnersServers } from '../support/servers.js';

/**
 * A short run of `npm run chaos`; a new random seed determines its kills and a third of its orders.
 * Afterwards each fact that a check reads is falsified in turn, and the check must fail.
 */

/**
 * A run takes 40 s on a quiet machine, and up to 120 s on a busy one. The waits within the run have
 * their own limits and messages; this limit only ends a run that hangs.
 */
const WHOLE_RUN_MS = 600_000;
const STOP_MS = 180_000;
/** The time limit of one test, which reads again all that the run recorded. */
const TIMEOUT_MS = 120_000;

const FIXED_SEED = 1;
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(1_000_000));

/**
 * Orders that every run contains: one with a second payment that is disputed, one captured, one
 * canceled.
 */
const plans = (): OrderPlan[] => {
  const plain = {
    capture: { policy: 'automatic' },
    cancels: 'never',
    payer: 'pays',
    canceledAtProvider: false,
    expiresIn: 'P1D',
  } as const;
  const [first, second, third, ...others] = planOrders(FIXED_SEED, 13);
  if (!first || !second || !third) throw new Error('thirteen orders were planned');
  return [
    { ...first, ...plain, payer: 'disputes', canceledAtProvider: true },
    { ...second, ...plain },
    { ...third, ...plain, cancels: 'at_once', payer: 'never_comes' },
    ...others,
    ...withSuffix(planOrders(seed, 6), '-r'),
  ];
};

const progress: string[] = [`seed ${seed}`];
let end: ChaosEnd;
let orchestrator: pg.Client;
let sandbox: pg.Client;
let fulfilment: pg.Client;

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

/**
 * The unchanged facts of the run. They are read only once, because reading them takes many
 * statements.
 */
let honest: Facts;

beforeAll(async () => {
  end = await makeChaos({
    servers: runnersServers(),
    killable: null,
    // This run requests no refunds, because refunds need days of business time. (`npm run chaos`
    // requests them.)
    refunds: false,
    plans: plans(),
    seed,
    // The shape `one` has half as many processes as `apart`. With `apart`, the restarts of killed
    // processes would take half of the CPU time of the run.
    shape: 'one',
    startApp: startWithSandboxHere,
    say: (line) => progress.push(line),
  }).catch((error: unknown) => {
    throw new Error(progress.join('\n'), { cause: error });
  });
  orchestrator = await connected(end.stack.databases.orchestrator);
  sandbox = await connected(end.stack.databases.sandbox);
  fulfilment = await connected(end.stack.databases.fulfilment ?? '');
  honest = await factsOf(end, orchestrator, sandbox, fulfilment);
}, WHOLE_RUN_MS);

afterAll(async () => {
  await Promise.all([orchestrator.end(), sandbox.end(), fulfilment.end()]);
  await end.stop();
}, STOP_MS);

test(
  `all invariants hold after processes were killed and provider faults occurred (seed ${seed})`,
  () => {
    const { holds, lines } = reportOf(checkAll(honest), seed);
    if (!holds) throw new Error([...progress, ...lines].join('\n'));
  },
  TIMEOUT_MS,
);

interface Doctoring {
  /** The beginning of the name of the check that must fail. */
  readonly seenBy: string;
  readonly what: string;
  /** One or more statements. */
  readonly orchestrator?: string | readonly string[];
  readonly sandbox?: string;
  readonly fulfilment?: string;
  readonly facts?: (facts: Facts) => Facts;
}

const one = (table: string, where: string, key = 'ctid'): string =>
  `${key} = (SELECT ${key} FROM ${table} WHERE ${where} ORDER BY ${key} LIMIT 1)`;

/** An SQL table function; the statement that contains it is executed as this process. */
const as = (name: string): string => `set_config('application_name', '${name}', true)`;

/** Events of an order from its payment on, as an SQL list. */
const PAID_AND_LATER = `'OrderPaid', 'OrderRefunded', 'OrderChargedBack', 'OrderDisputeWon',
                        'OrderDebitReturned', 'OrderPaymentVoided'`;

const swapFirstTwo = ({ published: all }: Facts): Facts['published'] => {
  const second = all.findIndex(({ event }) => event.version === 2);
  const id = all[second]?.event.streamId;
  const first = all.findIndex(({ event }) => event.streamId === id);
  const [a, b] = [all[first], all[second]];
  if (a === undefined || b === undefined) throw new Error('a stream has two events');
  return all.with(first, b).with(second, a);
};

/** Falsifies the facts that the subscribing service recorded. */
const ofService =
  (change: (service: FulfilmentFacts) => Partial<FulfilmentFacts>) =>
  (facts: Facts): Facts => {
    if (facts.fulfilment === null) throw new Error('the subscribing service ran');
    return { ...facts, fulfilment: { ...facts.fulfilment, ...change(facts.fulfilment) } };
  };

/** Falsifies the recorded facts about the kills and faults. */
const ofTrouble =
  (change: (trouble: TroubleFacts) => Partial<TroubleFacts>) =>
  ({ troubles, ...facts }: Facts): Facts => ({
    ...facts,
    troubles: (troubles ?? []).map((one) => ({ ...one, ...change(one) })),
  });

const PLANTED = 'Error: a planted failure';

/** Falsifies the facts about the repairs at the end of the faults. */
const ofRepairs =
  (change: (repairs: RepairFacts) => Partial<RepairFacts>) =>
  (facts: Facts): Facts => {
    if (facts.repairs === null) throw new Error('the run noted its repairs');
    return { ...facts, repairs: { ...facts.repairs, ...change(facts.repairs) } };
  };

/** Falsifies the recorded changes of jobs and of the relay's cursor. */
const ofRows =
  (change: Partial<RowFacts>) =>
  ({ commits, ...facts }: Facts): Facts => {
    if (commits === null) throw new Error('the run recorded its commits');
    return { ...facts, commits: { ...commits, rows: { ...commits.rows, ...change } } };
  };

/** The facts of a run with many orders. */
const long = (facts: Facts): Facts => ({
  ...facts,
  accepted: Array.from({ length: 40 }, () => facts.accepted).flat(),
});

/** Facts with a comparison of one account with the provider's books, which passes unless changed. */
const ofLedger =
  (
    { oursMinor = 25, theirsMinor = 25 }: { oursMinor?: number; theirsMinor?: number },
    changes: Partial<LedgerFacts> = {},
  ) =>
  (facts: Facts): Facts => {
    const differenceMinor = oursMinor - theirsMinor;
    const amounts = { oursMinor, unknownMinor: 0, theirsMinor, differenceMinor };
    const of = { providerAccount: 'acct_house test', account: 'fees', currency: 'eur' } as const;
    const differences = [{ ...of, ...amounts }];
    return { ...facts, ledger: { differences, breaks: [], lines: { payment: 1 }, ...changes } };
  };

/** Falsifies the facts that the platform's webhook receiver recorded. */
const ofReceiver =
  (change: (webhooks: PlatformWebhookFacts) => Partial<PlatformWebhookFacts>) =>
  ({ platformWebhooks, ...facts }: Facts): Facts => {
    if (platformWebhooks === null) throw new Error('the platform has a webhook endpoint');
    return { ...facts, platformWebhooks: { ...platformWebhooks, ...change(platformWebhooks) } };
  };

const DOCTORINGS: readonly Doctoring[] = [
  {
    seenBy: 'each order that was accepted',
    what: 'an accepted order is missing',
    orchestrator: `DELETE FROM events WHERE stream_type = 'order'
                     AND ${one('events', "type = 'OrderPlaced'", 'stream_id')}`,
  },
  {
    seenBy: 'each order that was accepted',
    what: 'an order exists that no api response confirmed',
    facts: (facts) => ({ ...facts, accepted: facts.accepted.slice(1) }),
  },
  {
    seenBy: 'each Idempotency-Key',
    what: 'one Idempotency-Key led to two orders',
    facts: (facts) => ({
      ...facts,
      accepted: facts.accepted.map((each, index) =>
        index === 0 ? { ...each, orderIds: [...each.orderIds, 'ord_other'] } : each,
      ),
    }),
  },
  {
    seenBy: 'each Idempotency-Key',
    what: 'two orders share one reference',
    orchestrator: `UPDATE events SET data = jsonb_set(data::jsonb, '{reference}', '"same"')::json
                    WHERE type = 'OrderPlaced'`,
  },
  {
    seenBy: 'no capture is refused',
    what: 'a capture was refused because of an outdated cached state',
    facts: (facts) => ({
      ...facts,
      accepted: facts.accepted.map((each) => ({ ...each, refusedCaptures: ['not_authorized'] })),
    }),
  },
  {
    seenBy: 'each refund, capture and cancellation',
    what: 'an acknowledged cancellation was not in the log',
    facts: ({ acknowledged, ...facts }) => {
      if (acknowledged === null) throw new Error('the run noted the responses');
      const requests = acknowledged.requests.map((one) => ({ ...one, isRecorded: false }));
      return { ...facts, acknowledged: { ...acknowledged, requests } };
    },
  },
  {
    seenBy: 'each refund, capture and cancellation',
    what: 'a refund in the log was never acknowledged',
    facts: ({ acknowledged, ...facts }) => {
      if (acknowledged === null) throw new Error('the run noted the responses');
      return { ...facts, acknowledged: { ...acknowledged, unacknowledged: ['ord_doctored'] } };
    },
  },
  {
    seenBy: 'each refund, capture and cancellation',
    what: 'a long run acknowledged nothing',
    facts: (facts) => ({
      ...long(facts),
      acknowledged: { requests: [], unacknowledged: [] },
    }),
  },
  {
    seenBy: 'when the faults end',
    what: 'a reaction waited that was not made to fail',
    facts: ofRepairs(() => ({
      waiting: [{ key: 'ord_doctored', attempts: 1, error: 'Error: doctored' }],
    })),
  },
  {
    seenBy: 'when the faults end',
    what: 'a reaction was blocked',
    facts: ofRepairs(() => ({
      waiting: [{ key: 'ord_doctored', attempts: 8, error: PLANTED }],
    })),
  },
  {
    seenBy: 'when the faults end',
    what: 'the reactions of most orders waited',
    facts: (facts) => {
      const waiting = facts.accepted.map(({ key }) => ({ key, attempts: 1, error: PLANTED }));
      return ofRepairs(() => ({ waiting: Array.from({ length: 40 }, () => waiting).flat() }))(
        long(facts),
      );
    },
  },
  {
    seenBy: 'when the faults end',
    what: 'an operator resolved most refunds',
    facts: (facts) => ofRepairs(() => ({ resolved: 100 }))(long(facts)),
  },
  {
    seenBy: 'for each order the provider has captured',
    what: 'the provider captured one cent more than the order’s amount',
    sandbox: `UPDATE payments SET amount = amount + 1
               WHERE ${one('payments', "status = 'captured'")}`,
  },
  {
    seenBy: 'for each order the provider has captured',
    what: 'the provider captured the amount of another order',
    sandbox: `UPDATE payments p SET amount = (SELECT sum(amount) FROM payments q
                WHERE q.status = 'captured') - p.amount WHERE status = 'captured'`,
  },
  {
    seenBy: 'no payment captures more',
    what: 'the provider captured one cent more than was authorized',
    sandbox: `UPDATE payments SET amount = amount + 1
               WHERE ${one('payments', "status = 'captured'")}`,
  },
  {
    seenBy: 'an order is paid at most once',
    what: 'an order is reported paid twice',
    orchestrator: `UPDATE events SET type = 'OrderPaid' WHERE type = 'OrderAuthorized' AND stream_id
                     IN (SELECT stream_id FROM events WHERE type = 'OrderPaid')`,
  },
  {
    seenBy: 'an order never had two live payments',
    what: 'two captured intents belong to one payment',
    sandbox: `UPDATE payment_intents SET order_id = (SELECT min(order_id) FROM payment_intents
                WHERE status = 'captured') WHERE status = 'captured'`,
  },
  {
    seenBy: 'an order never had two live payments',
    what: 'a second payment of an order began before the first payment ended',
    orchestrator: `UPDATE events SET type = 'PaymentPageCompleted' WHERE type = 'PaymentCanceled'`,
  },
  {
    seenBy: 'each payment has one intent',
    what: 'an intent belongs to no payment',
    sandbox: `UPDATE payment_intents SET order_id = 'pay_unknown'
               WHERE ${one('payment_intents', 'true', 'seq')}`,
  },
  {
    seenBy: 'each capture at the provider',
    what: 'a capture was executed twice',
    sandbox: `INSERT INTO events (id, account_id, live, type, object_id, body, created_at)
              SELECT 'evt_doctored', account_id, live, type, object_id, body, created_at FROM events
               WHERE type = 'payment.to_captured' LIMIT 1`,
  },
  {
    seenBy: 'each capture at the provider',
    what: 'a capture has no request',
    orchestrator: `UPDATE events SET type = 'PaymentPageCompleted', schema_version = 1
                    WHERE type = 'CaptureRequested'`,
  },
  {
    seenBy: 'each cancellation at the provider',
    what: 'a cancellation was executed twice',
    sandbox: `INSERT INTO events (id, account_id, live, type, object_id, body, created_at)
              SELECT 'evt_doctored', account_id, live, type, object_id, body, created_at FROM events
               WHERE type = 'payment_intent.updated'
                 AND body::json #>> '{data,status}' = 'canceled' LIMIT 1`,
  },
  {
    seenBy: 'no payment is refunded more',
    what: 'a refund is one cent higher than the capture',
    facts: (facts) => {
      const [taken] = facts.attempts.filter(({ status }) => status === 'captured');
      const intent = facts.intents.find(({ id }) => id === taken?.intentId);
      const refund = {
        paymentId: intent?.orderId ?? '',
        amountMinor: (taken?.amount ?? 0) + 1,
      };
      return { ...facts, refundsMade: [refund] };
    },
  },
  {
    seenBy: 'each requested refund',
    what: 'a refund was made twice',
    facts: (facts) => {
      const refund = { paymentId: 'pay_doctored', amountMinor: 50 };
      return { ...facts, refundsRequested: [refund], refundsMade: [refund, refund] };
    },
  },
  {
    seenBy: 'each requested refund',
    what: 'no refund was requested in a long run',
    facts: (facts) => ({ ...long(facts), refundsRequested: [], refundsMade: [] }),
  },
  {
    seenBy: 'the platform receives each event',
    what: 'an event was not delivered',
    facts: ofReceiver(({ handled }) => {
      const { eventId } = handled.at(-1) ?? { eventId: '' };
      return { handled: handled.filter((one) => one.eventId !== eventId) };
    }),
  },
  {
    seenBy: 'the platform receives each event',
    what: 'the first two events of an order were delivered in the wrong order',
    facts: ofReceiver(({ handled }) => {
      const second = handled.findIndex(({ version }) => version === 2);
      const first = handled.findIndex(({ streamId }) => streamId === handled[second]?.streamId);
      const [a, b] = [handled[first], handled[second]];
      if (a === undefined || b === undefined) throw new Error('a stream has two events');
      return { handled: handled.with(first, b).with(second, a) };
    }),
  },
  {
    seenBy: 'the platform receives each event',
    what: 'an unsigned request arrived',
    facts: ofReceiver(() => ({ unsigned: ['evt_doctored'] })),
  },
  {
    seenBy: 'each provider request has its job',
    what: 'the job of a provider request is missing',
    orchestrator: `DELETE FROM jobs WHERE ${one('jobs', 'subject_id IS NOT NULL', 'ordinal')}`,
  },
  {
    seenBy: 'each provider request has its job',
    what: 'the job of a provider request never ended',
    orchestrator: `UPDATE jobs SET state = 'running' WHERE ${one('jobs', 'subject_id IS NOT NULL', 'ordinal')}`,
  },
  {
    seenBy: 'no two requests of one payment',
    what: 'a capture ran while a cancellation of the same payment was running',
    orchestrator: `INSERT INTO chaos.overlaps VALUES ('pay_doctored', 'capture a', 'cancel b', '{}')`,
  },
  {
    seenBy: 'no commit ends a job',
    what: 'a worker ended a job that another worker had claimed',
    orchestrator: `INSERT INTO chaos.writes VALUES ('job', 'capture a', false, true, true)`,
  },
  {
    seenBy: 'no commit ends a job',
    what: 'no saga had a planted conflict',
    facts: (facts) => ({
      ...facts,
      commits: {
        counts: (['job', 'saga', 'stream'] as const).map((what) => ({
          what,
          all: 100,
          planted: what === 'saga' ? 0 : 1,
          outdated: 0,
        })),
        unchecked: [],
        queued: 0,
        overlaps: [],
        rows: { claims: 1, named: 1, moves: 1, unfenced: [] },
      },
    }),
  },
  {
    seenBy: 'no commit ends a job',
    what: 'no saga was recorded',
    facts: ({ commits, ...facts }) => {
      if (commits === null) throw new Error('the run recorded its commits');
      const counts = commits.counts.filter(({ what }) => what !== 'saga');
      return { ...facts, commits: { ...commits, counts } };
    },
  },
  {
    seenBy: 'no process changes a job',
    what: 'a worker ended a job that another worker had claimed',
    orchestrator: [
      `UPDATE jobs SET state = 'running', claim = gen_random_uuid(),
              held_until = clock_timestamp() + interval '1 minute'
         FROM ${as('chaos-1')} WHERE ${one('jobs', 'subject_id IS NOT NULL', 'ordinal')}`,
      `UPDATE jobs SET state = 'done' FROM ${as('chaos-2')} WHERE state = 'running'`,
    ],
  },
  {
    seenBy: 'no process changes a job',
    what: 'a worker claimed a job before the earlier claim had expired',
    orchestrator: [
      `UPDATE jobs SET state = 'running', claim = gen_random_uuid(),
              held_until = clock_timestamp() + interval '1 minute'
        WHERE ${one('jobs', 'subject_id IS NOT NULL', 'ordinal')}`,
      `UPDATE jobs SET claim = gen_random_uuid() WHERE state = 'running'`,
    ],
  },
  {
    seenBy: 'no process changes a job',
    what: 'the relay’s cursor moved back',
    orchestrator: `UPDATE log_cursors SET position = position - 1 WHERE name = 'relay'`,
  },
  {
    seenBy: 'no process changes a job',
    what: 'the relay’s cursor was taken over under an older token',
    orchestrator: `UPDATE log_cursors SET token = token - 1 WHERE name = 'relay'`,
  },
  {
    seenBy: 'no process changes a job',
    what: 'a process moved the relay’s cursor that another had taken over',
    orchestrator: [
      `UPDATE log_cursors SET token = token + 1 FROM ${as('chaos-1')} WHERE name = 'relay'`,
      `UPDATE log_cursors SET position = position + 1 FROM ${as('chaos-2')} WHERE name = 'relay'`,
    ],
  },
  {
    seenBy: 'no process changes a job',
    what: 'no move of the relay’s cursor was recorded',
    facts: ofRows({ moves: 0 }),
  },
  {
    seenBy: 'no process changes a job',
    what: 'the processes did not connect with their ids',
    facts: ofRows({ named: 0 }),
  },
  {
    seenBy: 'apps were killed at the points',
    what: 'no app was killed at a point',
    facts: ofTrouble(({ kills }) => ({ kills: kills.map((one) => ({ ...one, isDone: false })) })),
  },
  {
    seenBy: 'faults hit provider requests',
    what: 'no fault hit a request',
    facts: ofTrouble(({ faults }) => ({ faults: faults.map((one) => ({ ...one, hits: 0 })) })),
  },
  {
    seenBy: 'our ledger equals',
    what: 'a fee is missing in our ledger',
    facts: ofLedger({ oursMinor: 0, theirsMinor: 25 }),
  },
  {
    seenBy: 'our ledger equals',
    what: 'a payout line is an open reconciliation break',
    facts: ofLedger({}, { breaks: [{ kind: 'unknown', objectId: 'paym_doctored' }] }),
  },
  {
    seenBy: 'our ledger equals',
    what: 'there is no payout line',
    facts: ofLedger({}, { lines: {} }),
  },
  {
    seenBy: 'our ledger equals',
    what: 'a long run has no payout line of a dispute',
    facts: (facts) => ofLedger({}, { lines: { payment: 9, refund: 9 } })(long(facts)),
  },
  {
    seenBy: 'money moved in each way',
    what: 'a long run made no refund',
    facts: (facts) => ({ ...long(facts), refundsRequested: [], refundsMade: [] }),
  },
  {
    seenBy: 'each topic has the committed events',
    what: 'an event was never published',
    facts: (facts) => ({
      ...facts,
      published: facts.published.filter(
        ({ event }) => event.eventId !== facts.published[0]?.event.eventId,
      ),
    }),
  },
  {
    seenBy: 'each topic has the committed events',
    what: 'an event was published with other data than the log contains',
    orchestrator: `UPDATE events SET data = jsonb_set(data::jsonb, '{merchantId}', '"x"')::json
                    WHERE ${one('events', "type = 'OrderPlaced'", 'stream_id')} AND version = 1`,
  },
  {
    seenBy: 'each topic has the committed events',
    what: 'an event was published but not committed',
    orchestrator: `DELETE FROM events WHERE type IN (${PAID_AND_LATER})`,
  },
  {
    seenBy: 'after the relay’s cursor was moved back',
    what: 'the relay continued where it was',
    facts: (facts) => ({
      ...facts,
      relaySetBack: facts.log.length,
      published: [...new Map(facts.published.map((one) => [one.event.eventId, one])).values()],
    }),
  },
  {
    seenBy: 'the first occurrences of a stream',
    what: 'the second event of a stream was published before the first',
    facts: (facts) => ({ ...facts, published: swapFirstTwo(facts) }),
  },
  {
    seenBy: 'the first occurrences of a stream',
    what: 'the events of a stream are on two partitions',
    facts: (facts) => ({
      ...facts,
      published: facts.published.map((each) =>
        each.event.version === 2 ? { ...each, partition: each.partition + 1 } : each,
      ),
    }),
  },
  {
    seenBy: 'the projection order_list',
    what: 'an order in the list has an outdated status',
    orchestrator: `UPDATE order_list SET status = 'open'
                    WHERE ${one('order_list', 'true', 'order_id')}`,
  },
  {
    seenBy: 'the projection order_list',
    what: 'an order is missing in the list',
    orchestrator: `DELETE FROM order_list WHERE ${one('order_list', 'true', 'order_id')}`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'an order is shipped twice',
    fulfilment: `INSERT INTO shipment_steps (order_id, step, because, at)
                 SELECT order_id, step, because, at FROM shipment_steps
                  WHERE because = 'OrderPaid' LIMIT 1`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'a paid order is not shipped',
    fulfilment: `WITH steps AS (DELETE FROM shipment_steps)
                 DELETE FROM shipments WHERE ${one('shipments', 'true', 'order_id')}`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'a shipment has another amount than its order',
    fulfilment: `UPDATE shipments SET amount_minor = amount_minor + 1
                  WHERE ${one('shipments', 'true', 'order_id')}`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'an unpaid order is shipped',
    orchestrator: `DELETE FROM events e WHERE type IN (${PAID_AND_LATER})
                     AND ${one('events', "type = 'OrderPaid'", 'stream_id')}`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'an order that was never placed is shipped',
    fulfilment: `INSERT INTO shipments (order_id, status, amount_minor, currency)
                 VALUES ('ord_doctored', 'shipped', 100, 'eur')`,
  },
  {
    seenBy: 'the fulfilment service ships',
    what: 'the shipment of a disputed order is not stopped',
    fulfilment: `WITH steps AS (DELETE FROM shipment_steps WHERE because = 'OrderChargedBack')
                 UPDATE shipments SET status = 'shipped' WHERE status = 'stopped'`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'the last event of a stream never reached the service',
    fulfilment: `UPDATE subscriber_streams SET version = version - 1
                  WHERE ${one('subscriber_streams', 'true', 'stream_id')}`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'no event of a stream reached the service',
    fulfilment: `DELETE FROM subscriber_streams
                  WHERE ${one('subscriber_streams', 'true', 'stream_id')}`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'a stream belongs to no order',
    fulfilment: `INSERT INTO subscriber_streams (subscriber, stream_type, stream_id, version)
                 VALUES ('fulfilment', 'order', 'ord_doctored', 1)`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'a stream is blocked',
    fulfilment: `UPDATE subscriber_streams SET block = '{"error": "doctored"}'
                  WHERE ${one('subscriber_streams', 'true', 'stream_id')}`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'an event is stored for a blocked stream',
    fulfilment: `INSERT INTO subscriber_kept_events
                   (subscriber, stream_type, stream_id, version, event)
                 VALUES ('fulfilment', 'order', 'ord_doctored', 1, '{}')`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'an event was discarded',
    fulfilment: `INSERT INTO subscriber_discards
                   (subscriber, stream_type, stream_id, version, error, reason)
                 VALUES ('fulfilment', 'order', 'ord_doctored', 1, '', '')`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'a message was dropped before a restart',
    facts: ofService(() => ({ dropped: ['{"message":"doctored"}'] })),
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'an event was handled again',
    fulfilment: `UPDATE subscriber_streams SET version = version, block = block
                  WHERE ${one('subscriber_streams', 'version > 1', 'stream_id')}`,
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'a message was not confirmed',
    facts: ofService(({ metrics }) => ({ metrics: { ...metrics, unconfirmed: 1 } })),
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'a message names a stream that is not in the log',
    facts: ofService(({ metrics }) => ({ metrics: { ...metrics, foreign: 1 } })),
  },
  {
    seenBy: 'the fulfilment service has handled',
    what: 'the service has not handled all messages',
    facts: ofService(({ metrics }) => ({ metrics: { ...metrics, lag: 3 } })),
  },
  {
    seenBy: 'each order has its saga',
    what: 'a saga is missing',
    orchestrator: `DELETE FROM sagas WHERE ${one('sagas', 'true', 'key')}`,
  },
  {
    seenBy: 'each order has its saga',
    what: 'an open saga waits for nothing',
    orchestrator: `UPDATE sagas SET done = false WHERE ${one('sagas', 'true', 'key')}`,
  },
  {
    seenBy: 'each order has its saga',
    what: 'a deadline is left over',
    orchestrator: `INSERT INTO jobs (kind, key, due_at)
                   VALUES ('checkout.expiry', 'x', now())`,
  },
  {
    seenBy: 'no saga waits',
    what: 'a saga’s failed reaction waits for an operator',
    orchestrator: `UPDATE sagas SET retry_at = 'infinity', waiting =
                     '{"stimuli": [], "attempts": 8, "error": "doctored"}'
                    WHERE ${one('sagas', 'true', 'key')}`,
  },
  {
    seenBy: 'no saga waits',
    what: 'a webhook was never handled',
    orchestrator: `UPDATE webhooks_received SET handled_at = NULL
                    WHERE ${one('webhooks_received', 'true', 'id')}`,
  },
  {
    seenBy: 'when a webhook has been handled',
    what: 'webhooks were handled before their statuses were recorded',
    orchestrator: `UPDATE webhooks_received SET handled_at = received_at - interval '1 hour'
                    WHERE status = 'canceled'`,
  },
  {
    seenBy: 'when a webhook has been handled',
    what: 'no webhook of many orders had a new status',
    facts: (facts) => ({ ...long(facts), webhooks: [] }),
  },
  {
    seenBy: 'when a webhook has been handled',
    what: 'most webhooks of many orders were handled late',
    orchestrator: `UPDATE webhooks_received SET handled_at = handled_at + interval '20 seconds'`,
    facts: long,
  },
  {
    seenBy: 'an event is committed when',
    what: 'each event was committed together with its reactions',
    facts: (facts) => ({
      ...facts,
      reactionFaults: {
        failed: Array.from({ length: 5 }, () => 'doctored'),
        succeeded: new Set(),
        atLeast: 0,
      },
      log: facts.log.map((event) => ({
        ...event,
        cursor: { ...event.cursor, transactionId: '1' },
      })),
    }),
  },
  {
    seenBy: 'an event is committed when',
    what: 'fewer reactions failed than the minimum',
    facts: (facts) => ({
      ...facts,
      reactionFaults: { failed: [], succeeded: new Set(), atLeast: 1 },
    }),
  },
  {
    seenBy: 'the checkout saga reacts to every event',
    what: 'one event led to no reaction',
    facts: (facts) => {
      const { reactionFaults: faults, log } = facts;
      if (faults === null) throw new Error('the run made reactions fail');
      const nameOf = ({ streamId, version }: (typeof log)[number]) => `${streamId}/${version}`;
      const lost = log.map(nameOf).find((name) => faults.succeeded.has(name));
      const succeeded = new Set([...faults.succeeded].filter((name) => name !== lost));
      return { ...facts, reactionFaults: { ...faults, succeeded } };
    },
  },
  {
    seenBy: 'the checkout saga reacts to every event',
    what: 'no event arrived while a failed reaction waited',
    facts: ({ commits, reactionFaults, ...facts }) => {
      if (commits === null || reactionFaults === null) throw new Error('the run was recorded');
      const none = { ...commits, queued: 0 };
      return { ...facts, commits: none, reactionFaults: { ...reactionFaults, atLeast: 1 } };
    },
  },
  {
    seenBy: 'each order has ended',
    what: 'an order has no final status',
    orchestrator: `UPDATE events SET type = 'OrderCancellationRequested'
                    WHERE type = 'OrderCanceled'`,
  },
  {
    seenBy: 'each payment has ended with the status',
    what: 'the provider shows another final status than our payment',
    sandbox: `UPDATE payment_intents SET status = 'unpaid' WHERE status = 'captured'`,
  },
  {
    seenBy: 'each payment has ended with the status',
    what: 'a status mismatch was recorded',
    orchestrator: `UPDATE events SET type = 'PaymentMismatchObserved', schema_version = 1
                    WHERE type = 'CaptureSent'
                      AND ${one('events', "type = 'CaptureSent'", 'stream_id')}`,
  },
  {
    seenBy: 'the provider tries a webhook at most 15 times',
    what: 'a webhook was sent before its delay had passed',
    sandbox: `UPDATE delivery_attempts SET started_at = started_at - interval '5 seconds'
               WHERE attempt = 1`,
  },
  {
    seenBy: 'the provider tries a webhook at most 15 times',
    what: 'a webhook was tried a sixteenth time',
    sandbox: 'UPDATE delivery_attempts SET attempt = 16 WHERE attempt = 1',
  },
  {
    seenBy: 'no webhook is accepted whose content does not fit its signature',
    what: 'a falsified webhook was accepted',
    facts: (facts) => ({ ...facts, falsifiedWebhooks: { accepted: 1, refused: 9 } }),
  },
];

/** Reads again the facts of the databases that were changed; the other facts are the honest ones. */
const readChanged = async (doctoring: Doctoring): Promise<Facts> => ({
  ...honest,
  ...(doctoring.orchestrator === undefined
    ? {}
    : { commits: await commitFacts(orchestrator), ...(await orchestratorFacts(orchestrator)) }),
  ...(doctoring.sandbox === undefined ? {} : await providerFacts(sandbox)),
  ...(doctoring.fulfilment === undefined || honest.fulfilment === null
    ? {}
    : { fulfilment: { ...honest.fulfilment, ...(await fulfilmentFacts(fulfilment)) } }),
});

/** Returns what the run recorded, with one record made wrong, so that its check must fail. */
const doctored = async (doctoring: Doctoring): Promise<Facts> => {
  const changes = (
    [
      [orchestrator, doctoring.orchestrator],
      [sandbox, doctoring.sandbox],
      [fulfilment, doctoring.fulfilment],
    ] as const
  ).flatMap(([client, sql]) => (sql === undefined ? [] : [{ client, statements: [sql].flat() }]));
  await Promise.all(changes.map(({ client }) => client.query('BEGIN')));
  try {
    for (const { client, statements } of changes) {
      for (const statement of statements) {
        const { rowCount } = await client.query(statement);
        expect(rowCount).toBeGreaterThan(0);
      }
    }
    const facts = await readChanged(doctoring);
    return doctoring.facts?.(facts) ?? facts;
  } finally {
    await Promise.all(changes.map(({ client }) => client.query('ROLLBACK')));
  }
};

test.each(DOCTORINGS)(
  'the check "$seenBy…" fails when $what',
  async (doctoring) => {
    const result = checkNamed(await doctored(doctoring), doctoring.seenBy);
    expect(result?.broken.length).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

test(
  'this spec contains, for every check, a false fact that makes the check fail',
  () => {
    const names = checkAll(honest).map(({ name }) => name);
    const unproved = names.filter(
      (name) => !DOCTORINGS.some(({ seenBy }) => name.startsWith(seenBy)),
    );
    expect(unproved).toEqual([]);
  },
  TIMEOUT_MS,
);
