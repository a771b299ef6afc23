import { randomUUID } from 'node:crypto';
import { type Clock, instantFromMs, newId, randomText } from '#kernel';
import { CASE_LIST, RegisterAccount } from '#operations';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { CLOCK, createSecretBox } from '#platform';
import { ProviderAccounts } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import { endpointAggregate } from '#webhook';
import type { Role } from '../access/role.js';
import { type AdminFixture, startAdminFixture } from '../admin.fixture.js';
import { ProviderDouble } from '../provider-double.fixture.js';
import { leastRoleFor, type RepairKind, type Target } from './action.js';
import { differingFee, missingPayment } from './breaks.fixture.js';
import { openDeliveries } from './deliveries.fixture.js';
import { observedPayment, type Status } from './observed-payment.fixture.js';
import { daysAgo, type Person } from './requests.fixture.js';

/** Each registration uses a different API key, so that the provider returns a different account. */
const registerAccount = async ({ http, pool, store, config }: AdminFixture, merchantId: string) => {
  // Only the API's database role may register accounts.
  const accounts = new ProviderAccounts({
    pool,
    adapters: [http.app.get(HostedAdapter)],
    secretBox: createSecretBox(config.secretsKey),
    publicWebhookUrl: config.publicWebhookUrl,
  });
  const registering = new RegisterAccount(pool, store, accounts, http.app.get<Clock>(CLOCK));
  const { id } = await registering.register(
    { platformId: 'shop', merchantId, mode: 'test', apiKey: `stest_${randomText(24)}` },
    { actor: 'platform:shop', causationId: 'spec' },
  );
  return id;
};

/** Creates the targets of actions: payments of new orders, in the status that a spec needs. */
export class ActionBench {
  private readonly pairs = new Map<Role, Promise<readonly [Person, Person]>>();

  private constructor(
    readonly admin: AdminFixture,
    readonly provider: ProviderDouble,
    readonly accountId: string,
  ) {}

  /** Starts an admin app and a provider double that only this fixture uses. */
  static async start(): Promise<ActionBench> {
    const provider = await ProviderDouble.start();
    return ActionBench.open(await startAdminFixture({ providerUrl: provider.url }), provider);
  }

  async stop(): Promise<void> {
    await this.admin.stop();
    await this.provider.stop();
  }

  static async open(admin: AdminFixture, provider: ProviderDouble): Promise<ActionBench> {
    return new ActionBench(admin, provider, await registerAccount(admin, 'm1'));
  }

  /** Two users with the lowest role that can request and approve the action. */
  pairFor(kind: RepairKind): Promise<readonly [Person, Person]> {
    const role = leastRoleFor(kind);
    const known =
      this.pairs.get(role) ?? Promise.all([this.admin.signedIn(role), this.admin.signedIn(role)]);
    this.pairs.set(role, known);
    return known;
  }

  /** Creates a webhook endpoint, then executes `command` on it. */
  private async endpoint(command?: 'DisableEndpoint'): Promise<string> {
    const { store } = this.admin;
    const id = newId('whe');
    const at = instantFromMs(Date.now());
    const metadata = { correlationId: id, causationId: 'spec', actor: 'spec', traceparent: null };
    await store.execute(
      endpointAggregate,
      id,
      {
        type: 'CreateEndpoint',
        platformId: 'shop',
        host: 'hooks.example',
        eventTypes: ['*'],
        merchantId: null,
        detailsRef: newId('whd'),
        at,
      },
      metadata,
    );
    if (command !== undefined) {
      const disable = { type: command, reason: 'failing', at } as const;
      await store.execute(endpointAggregate, id, disable, metadata);
    }
    return id;
  }

  /** Registers two provider accounts of a merchant; the second (`waiting`) awaits approval. */
  async anotherAccount(merchantId = `m-${randomText(8)}`): Promise<{
    readonly used: string;
    readonly waiting: string;
  }> {
    const used = await registerAccount(this.admin, merchantId);
    return { used, waiting: await registerAccount(this.admin, merchantId) };
  }

  /** Creates a payment with this status, and makes the provider show the same status. */
  async payment(
    status: Status,
    policy: 'automatic' | 'manual' = 'manual',
  ): Promise<{
    readonly orderId: string;
    readonly paymentId: string;
  }> {
    const [orderId, intentId] = [newId('ord'), newId('pi')];
    const order = { orderId, intentId, accountId: this.accountId, status, policy };
    const paymentId = await observedPayment(this.admin.store, order);
    this.provider.intent = {
      id: intentId,
      status: status === 'open' ? 'require_payment_method' : status,
      amount: 1_250,
      currency: 'eur',
      capture: false,
      order_id: paymentId,
      url: 'https://pay.test/p',
      created_at: Math.floor(Date.now() / 1_000),
      payment: null,
    };
    return { orderId, paymentId };
  }

  /** A paid order that was charged back. */
  async chargedBack(): Promise<{ readonly orderId: string }> {
    const { orderId, paymentId } = await this.payment('captured');
    const at = instantFromMs(Date.now());
    const metadata = {
      correlationId: orderId,
      causationId: 'spec',
      actor: 'saga:checkout',
      traceparent: null,
    };
    await this.admin.store.execute(
      orderAggregate,
      orderId,
      {
        type: 'NoteRefundOrChargeback',
        how: 'chargeback',
        paymentId,
        disputeId: newId('dspt'),
        amountMinor: 1_250,
        reasonCode: '4837',
        payerReasonCode: '4837',
        at,
      },
      metadata,
    );
    return { orderId };
  }

  /** A capture with an unknown result, which the provider shows as executed. */
  async stuckCapture(): Promise<string> {
    const { paymentId } = await this.payment('authorized');
    const jobId = randomUUID();
    await this.admin.pool.query(
      `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, updated_at)
       VALUES ($1, 'capture', $2, $3, 'stuck', 20, 'epoch', now() - interval '1 hour')`,
      [jobId, paymentId, this.accountId],
    );
    this.provider.intent = { ...this.provider.intent, status: 'to_capture' };
    return jobId;
  }

  /** An incident of one failed capture. */
  private async incident(): Promise<Target> {
    const jobId = await this.stuckCapture();
    const {
      rows: [row],
    } = await this.admin.pool.query<{ cause: string; ms: string }>(
      `SELECT c.cause, floor(extract(epoch FROM c.since) * 1000)::text AS ms
         FROM ${CASE_LIST.from} WHERE c.target_id = $1`,
      [jobId],
    );
    return { subjectId: `${row?.cause}.f${row?.ms}.t${row?.ms}` };
  }

  /** A payment whose intent the provider no longer has. */
  async mismatchedPayment(): Promise<string> {
    const { paymentId, orderId } = await this.payment('captured');
    const metadata = {
      correlationId: orderId,
      causationId: 'spec',
      actor: 'provider',
      traceparent: null,
    };
    const missing = { type: 'NoteMissingIntent', at: instantFromMs(Date.now()) } as const;
    await this.admin.store.execute(paymentAggregate, paymentId, missing, metadata);
    return paymentId;
  }

  /** A refund request of 5.00 that the provider did not execute. */
  async rejectedRefund(): Promise<Target> {
    const { paymentId, orderId } = await this.payment('captured');
    const [requestId, at] = [newId('rfr'), instantFromMs(Date.now())];
    const metadata = {
      correlationId: orderId,
      causationId: 'spec',
      actor: 'platform:shop',
      traceparent: null,
    };
    await this.admin.store.step(metadata, async (step) => {
      await step.execute(paymentAggregate, paymentId, {
        type: 'RequestRefund',
        requestId,
        amountMinor: 500,
        reference: 'R-1',
        reason: null,
        at,
      });
      await step.execute(paymentAggregate, paymentId, {
        type: 'RejectRefund',
        requestId,
        reason: 'the provider did not execute the refund',
        at,
      });
    });
    return { subjectId: paymentId, requestId };
  }

  /** An order whose checkout saga is blocked, because its reaction to the placement failed. */
  async failedReaction(): Promise<Target> {
    const { orderId: subjectId } = await this.payment('authorized');
    const { rows } = await this.admin.pool.query<{ id: string }>(
      `INSERT INTO sagas (saga, key, version, state, done, waiting, retry_at, failing_since)
       SELECT 'checkout', $1, 1, '{"status": "none"}', false, jsonb_build_object('attempts', 8,
                'error', E'it broke\\n    at react', 'stimuli', jsonb_build_array(jsonb_build_object(
                  'from', 'event', 'streamType', 'order', 'streamId', $1::text, 'version', 1))),
              'infinity', now()
           ON CONFLICT (saga, key) DO UPDATE SET version = sagas.version + 1,
              waiting = excluded.waiting, retry_at = excluded.retry_at, failing_since = now()
       RETURNING (SELECT event_id::text FROM events
                   WHERE stream_type = 'order' AND stream_id = $1 AND version = 1) AS id`,
      [subjectId],
    );
    return { subjectId, saga: 'checkout', stimulus: rows[0]?.id ?? '' };
  }

  /** The audit entries of an action, in order. */
  async auditOf(actionId: unknown): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.admin.pool.query<Record<string, unknown>>(
      `SELECT action, actor, reason, subject_id FROM audit
        WHERE detail->>'actionId' = $1 ORDER BY id`,
      [actionId],
    );
    return rows;
  }

  /** A target on which an action of this kind is possible. */
  async targetFor(kind: RepairKind): Promise<Target> {
    const { pool } = this.admin;
    switch (kind) {
      case 'capture':
      case 'refresh':
        return { subjectId: (await this.payment('authorized')).paymentId };
      case 'cancel':
        return { subjectId: (await this.payment('authorized')).orderId };
      case 'refund':
        return { subjectId: (await this.payment('captured')).paymentId, amountMinor: 500 };
      case 'reissue_refund':
      case 'abandon_refund':
        return this.rejectedRefund();
      case 'resolve_result':
      case 'retry_request':
        return { subjectId: await this.stuckCapture() };
      case 'review_mismatches':
        return { subjectId: await this.mismatchedPayment() };
      case 'retry_requests':
        return this.incident();
      case 'retry_reaction':
      case 'discard_reaction':
        return this.failedReaction();
      case 'close_exception':
        return { subjectId: await missingPayment(pool, this.accountId) };
      case 'accept_line':
        return { subjectId: (await differingFee(this.admin, this.accountId)).exceptionId };
      case 'rebuild_projection':
        await pool.query(
          `INSERT INTO log_cursors (name, epoch, transaction_id, position)
           VALUES ('projection:order_list', 1, '0', 0) ON CONFLICT DO NOTHING`,
        );
        return { subjectId: 'order_list' };
      case 'poll_history':
        await pool.query(
          `INSERT INTO history_watermarks (mode, watermark, next_round_at)
           VALUES ('test', now(), '2099-01-01') ON CONFLICT DO NOTHING`,
        );
        return { subjectId: 'test', fromDay: daysAgo(30) };
      case 'poll_account':
        await pool.query(
          `INSERT INTO jobs (kind, key, account_id, due_at)
           VALUES ('account.payments', $1, $1, '2099-01-01') ON CONFLICT DO NOTHING`,
          [this.accountId],
        );
        return { subjectId: this.accountId };
      case 'switch_account':
      case 'withdraw_account':
        return { subjectId: (await this.anotherAccount()).waiting };
      case 'disable_account':
        return { subjectId: (await this.anotherAccount()).used };
      case 'disable_endpoint':
        return { subjectId: await this.endpoint() };
      case 'enable_endpoint':
        return { subjectId: await this.endpoint('DisableEndpoint') };
      case 'redeliver_webhooks': {
        const subjectId = await this.endpoint();
        await openDeliveries(pool, subjectId);
        return { subjectId };
      }
      case 'reprocess_webhook': {
        const { rows } = await pool.query<{ id: string }>(
          `INSERT INTO webhooks_received (account_id, event_id, type, body_bytes, body_sha256, handled_at)
           VALUES ($1, $2, 'payment.authorized', 0, '', now()) RETURNING id::text`,
          [this.accountId, newId('evt')],
        );
        return { subjectId: rows[0]?.id ?? '' };
      }
    }
  }
}
