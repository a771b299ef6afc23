import { allKnown, LogReader, LOG_START, type RecordedEvent } from '#log';
import { UPCASTERS } from '#orchestrator';
import type { Pool, PoolClient } from 'pg';
import type { ReadEvent } from '../stack/topics.js';
import type { FalsifiedWebhooks } from '../stack/webhook-gate.js';
import type { AcknowledgementFacts } from './acknowledged.js';
import type { CommitFacts } from './commit-record.js';
import type { FaultDeed, KillDeed } from './deeds.js';
import type { FulfilmentMetrics } from './fulfilment.js';
import type { LedgerFacts } from './payouts.js';
import type { PlatformWebhookFacts } from './platform-webhooks.js';
import { type Repeat, REPEATS } from './repeats.js';
import type { RepairFacts } from './repairs.js';
import type { Schedule } from './schedule.js';

export type Queryable = Pick<PoolClient, 'query'>;

export interface SagaFact {
  readonly key: string;
  readonly done: boolean;
}

export interface DeadlineFact {
  readonly kind: string;
  readonly key: string;
}

export interface EffectFact {
  readonly jobId: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly state: string;
  readonly note: string;
}

export interface OrderRow {
  readonly orderId: string;
  readonly status: string;
  readonly paymentId: string | null;
  readonly amountMinor: number;
  readonly reference: string;
  readonly version: number;
}

/** An intent in the provider's database. `orderId` is the id of our payment. */
export interface IntentFact {
  readonly id: string;
  readonly orderId: string | null;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly createdAt: string;
}

/**
 * An attempt to pay an intent, in the provider's database. The provider calls such an attempt a
 * payment.
 */
export interface AttemptFact {
  readonly id: string;
  readonly intentId: string;
  readonly status: string;
  readonly amount: number;
}

/** A refund that was requested, or that the provider has made or is making. */
export interface RefundFact {
  readonly paymentId: string;
  readonly amountMinor: number;
}

/** An event in the provider's database, with the status of its object. */
export interface ProviderEvent {
  readonly type: string;
  readonly intentId: string;
  readonly status: string;
  readonly createdAt: string;
}

export interface WebhookAttemptFact {
  readonly deliveryId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The business time since the event, or since the end of the previous attempt, in seconds. */
  readonly afterSeconds: number;
}

/** What the platform observed of an order that it placed under one Idempotency-Key. */
export interface AcceptedFact {
  readonly key: string;
  readonly reference: string;
  /**
   * Every order id that a response with status 201 contained; more than one would be a violation.
   */
  readonly orderIds: readonly string[];
  /** Whether the merchant canceled the first intent directly at the provider. */
  readonly canceledAtProvider: boolean;
  /** The codes of refused captures of an order that had been shown as authorized. */
  readonly refusedCaptures: readonly string[];
}

/** The state of the fulfilment example, which ships paid orders. */
export interface FulfilmentFacts {
  readonly shipments: readonly {
    readonly orderId: string;
    readonly status: string;
    readonly amountMinor: number;
  }[];
  /** The steps of the order's shipment, in order. */
  readonly steps: readonly {
    readonly orderId: string;
    readonly step: string;
    readonly because: string;
  }[];
  readonly streams: readonly {
    readonly streamId: string;
    readonly version: number;
    /** Why the stream is blocked; null when it is not blocked. */
    readonly blockedBy: string | null;
  }[];
  /**
   * Events that the service has stored but not handled, because their stream is blocked or they
   * were discarded.
   */
  readonly held: readonly { readonly streamId: string; readonly version: number }[];
  /** Events that the service handled although it had handled their versions before. */
  readonly repeats: readonly Repeat[];
  /** The log lines about messages that the fulfilment service dropped. */
  readonly dropped: readonly string[];
  readonly metrics: FulfilmentMetrics;
}

/** The saga reactions that the run made to fail. */
export interface ReactionFaultFacts {
  /**
   * The events to which a reaction failed, with one entry for each planted failure. A failure may
   * last for several attempts.
   */
  readonly failed: readonly string[];
  /**
   * The events to which a reaction of the checkout saga succeeded, as `<stream id>/<version>`,
   * whether or not the step was committed.
   */
  readonly succeeded: ReadonlySet<string>;
  /**
   * The minimum number of planted failures with which the check of failed reactions proves
   * anything.
   */
  readonly atLeast: number;
}

/** The kills and faults in one phase of a run. */
export interface TroubleFacts {
  readonly schedule: Schedule;
  readonly kills: readonly KillDeed[];
  readonly faults: readonly FaultDeed[];
}

/** The input of the checks. It is read after all work has ended. */
export interface Facts {
  readonly accepted: readonly AcceptedFact[];
  /** The requests that an api acknowledged; null if the run did not record responses. */
  readonly acknowledged: AcknowledgementFacts | null;
  /** The repairs by an operator; null if the run ended without repairs. */
  readonly repairs: RepairFacts | null;
  /** The whole event log, in log order. */
  readonly log: readonly RecordedEvent[];
  readonly sagas: readonly SagaFact[];
  readonly deadlines: readonly DeadlineFact[];
  readonly effects: readonly EffectFact[];
  /** Sagas with a failed reaction that waits for a retry or for an operator. */
  readonly waiting: readonly {
    readonly saga: string;
    readonly key: string;
    readonly error: string;
  }[];
  /** The webhooks that an api accepted, with the times of the database's clock. */
  readonly webhooks: readonly {
    readonly eventId: string;
    readonly paymentId: string | null;
    readonly status: string | null;
    /** What the worker did. */
    readonly note: string;
    readonly receivedMs: number;
    readonly handledMs: number | null;
  }[];
  readonly webhooksOpen: readonly { readonly id: string }[];
  readonly orderList: readonly OrderRow[];
  readonly published: readonly ReadEvent[];
  /**
   * How many events the relay publishes again because the run moved its cursor back; null if never.
   */
  readonly relaySetBack: number | null;
  readonly intents: readonly IntentFact[];
  readonly attempts: readonly AttemptFact[];
  readonly providerEvents: readonly ProviderEvent[];
  /** The provider's attempts to send webhooks, except those that a person requested. */
  readonly webhookAttempts: readonly WebhookAttemptFact[];
  /** The responses to falsified webhooks; null if the run sent none. */
  readonly falsifiedWebhooks: FalsifiedWebhooks | null;
  /** The requested refunds; null if the run requested none. */
  readonly refundsRequested: readonly RefundFact[] | null;
  readonly refundsMade: readonly RefundFact[];
  /** The state of the fulfilment example; null if it did not run. */
  readonly fulfilment: FulfilmentFacts | null;
  /** The webhooks that the platform received; null if the platform had no webhook endpoint. */
  readonly platformWebhooks: PlatformWebhookFacts | null;
  /** The checks of claims and versions in commits; null if the run did not record its commits. */
  readonly commits: CommitFacts | null;
  /** The reactions that were made to fail; null if the run planted no failures. */
  readonly reactionFaults: ReactionFaultFacts | null;
  /** The planned kills and faults by phase; null if the run had no schedule of kills. */
  readonly troubles: readonly TroubleFacts[] | null;
  /** The comparison with the provider's books; null if the run did not wait for all payouts. */
  readonly ledger: LedgerFacts | null;
}

export const rowsOf = async <Row extends object>(on: Queryable, sql: string): Promise<Row[]> =>
  (await on.query<Row>(sql)).rows;

const LOG_CHUNK = 1_000;

/** The whole event log, in log order. */
export const wholeLog = async (on: Queryable): Promise<readonly RecordedEvent[]> => {
  const reader = new LogReader(on as Pool, UPCASTERS);
  const events: RecordedEvent[] = [];
  for (let cursor = LOG_START; ;) {
    const chunk = allKnown(await reader.readAfter(cursor, LOG_CHUNK));
    const end = chunk.at(-1)?.cursor;
    if (end === undefined) return events;
    events.push(...chunk);
    cursor = end;
  }
};

/** The facts in the orchestrator's database that the checks read. */
export const orchestratorFacts = async (on: Queryable) => ({
  log: await wholeLog(on),
  sagas: await rowsOf<SagaFact>(on, 'SELECT key, done FROM sagas'),
  deadlines: await rowsOf<DeadlineFact>(
    on,
    `SELECT kind, key FROM jobs WHERE subject_id IS NULL
      AND kind NOT LIKE 'account.%' AND kind NOT LIKE 'payout.%'`,
  ),
  effects: await rowsOf<EffectFact>(
    on,
    `SELECT key AS "jobId", kind, subject_id AS "subjectId", state, note
           FROM jobs WHERE subject_id IS NOT NULL`,
  ),
  waiting: await rowsOf<Facts['waiting'][number]>(
    on,
    `SELECT saga, key, waiting ->> 'error' AS error FROM sagas WHERE waiting IS NOT NULL`,
  ),
  webhooks: await rowsOf<Facts['webhooks'][number]>(
    on,
    `SELECT event_id AS "eventId", order_id AS "paymentId", status, note,
            floor(extract(epoch FROM received_at) * 1000)::float8 AS "receivedMs",
            floor(extract(epoch FROM handled_at) * 1000)::float8 AS "handledMs"
       FROM webhooks_received`,
  ),
  webhooksOpen: await rowsOf<{ id: string }>(
    on,
    'SELECT id::text FROM webhooks_received WHERE handled_at IS NULL',
  ),
  orderList: await rowsOf<OrderRow>(
    on,
    `SELECT order_id AS "orderId", status, payment_id AS "paymentId",
                amount_minor::int AS "amountMinor", reference, version FROM order_list`,
  ),
});

/** The facts in the fulfilment example's database that the checks read. */
export const fulfilmentFacts = async (
  on: Queryable,
): Promise<Omit<FulfilmentFacts, 'dropped' | 'metrics'>> => ({
  shipments: await rowsOf<FulfilmentFacts['shipments'][number]>(
    on,
    `SELECT order_id AS "orderId", status, amount_minor::int AS "amountMinor" FROM shipments`,
  ),
  steps: await rowsOf<FulfilmentFacts['steps'][number]>(
    on,
    'SELECT order_id AS "orderId", step, because FROM shipment_steps ORDER BY id',
  ),
  streams: await rowsOf<FulfilmentFacts['streams'][number]>(
    on,
    `SELECT stream_id AS "streamId", version, block ->> 'error' AS "blockedBy"
           FROM subscriber_streams WHERE stream_type = 'order'`,
  ),
  held: await rowsOf<FulfilmentFacts['held'][number]>(
    on,
    `SELECT stream_id AS "streamId", version FROM subscriber_kept_events
         UNION ALL SELECT stream_id, version FROM subscriber_discards`,
  ),
  repeats: await rowsOf<Repeat>(on, REPEATS),
});
