import { randomUUID } from 'node:crypto';
import { assert, type Clock, DAY_MS, instantFromMs, newId, randomText } from '#kernel';
import { RegisterAccount } from '#operations';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { CLOCK, createSecretBox } from '#platform';
import { ProviderAccounts } from '#psp';
import { HostedAdapter } from '#psp-hosted';
import type { Role } from '../access/role.js';
import {
  type AdminFixture,
  type Reply,
  startAdminFixture,
  type TestBrowser,
} from '../admin.fixture.js';
import { ProviderDouble } from '../provider-double.fixture.js';
import { leastRoleFor, type RepairKind, type Target } from './action.js';

export const daysAgo = (days: number): string =>
  instantFromMs(Date.now() - days * DAY_MS).slice(0, 10);

/** What waits for a second person. */
export const MONEY: readonly RepairKind[] = [
  'capture',
  'cancel',
  'refund',
  'reissue_refund',
  'give_up_refund',
  'settle_call',
  'discard_reaction',
  'close_exception',
  'switch_account',
  'disable_account',
];

export const reason = 'the merchant asked for it';

/** Who is signed in, and can be told apart. */
export type Person = TestBrowser & { readonly userId: string };

/** Of an action that was asked for. */
export const pathOf = ({ body }: Reply): string => `/v1/actions/${String(body['id'])}`;

/** Asks as the console does: what moves money by what the dry run has shown. */
export const ask = async (who: TestBrowser, kind: RepairKind, target: Target): Promise<Reply> => {
  const wish = { kind, target, reason };
  if (!MONEY.includes(kind)) return who.post('/v1/actions', wish);
  const {
    body: { digest },
  } = await who.post('/v1/actions/dry-run', wish);
  return who.post('/v1/actions', { ...wish, ...(digest !== undefined && { seen: digest }) });
};

/** By what the action at `path` would do now; of one that does not wait nothing is shown. */
export const approve = async (who: TestBrowser, path: string): Promise<Reply> => {
  const {
    body: { digest },
  } = await who.get(`${path}/preview`);
  return who.post(`${path}/approve`, { seen: digest ?? 'nothing' });
};

/** With a key of its own, so at the provider it is another account than those before. */
const registerAccount = async ({ http, pool, store, config }: AdminFixture, merchantId: string) => {
  // The api's to do: the console has no right to it.
  const accounts = new ProviderAccounts({
    pool,
    adapters: [http.app.get(HostedAdapter)],
    secretBox: createSecretBox(config.secretsKey),
    publicWebhookUrl: config.publicWebhookUrl,
  });
  const registering = new RegisterAccount({
    pool,
    store,
    clock: http.app.get<Clock>(CLOCK),
    accounts,
  });
  const { id } = await registering.register(
    { platformId: 'shop', merchantId, mode: 'test', apiKey: `stest_${randomText(24)}` },
    { actor: 'platform:shop', causationId: 'spec' },
  );
  return id;
};

/** A payment of a new order at an account of its own, as far as a spec needs it. */
export class ActionBench {
  private readonly pairs = new Map<Role, Promise<readonly [Person, Person]>>();

  private constructor(
    readonly admin: AdminFixture,
    readonly provider: ProviderDouble,
    private readonly accountId: string,
  ) {}

  /** With a console and a provider of its own. */
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

  /** Two who may just ask for it, and approve it. */
  pairFor(kind: RepairKind): Promise<readonly [Person, Person]> {
    const role = leastRoleFor(kind);
    const known =
      this.pairs.get(role) ?? Promise.all([this.admin.signedIn(role), this.admin.signedIn(role)]);
    this.pairs.set(role, known);
    return known;
  }

  /** An account beside the one that a merchant's orders use: it waits for its approval. */
  async anotherAccount(merchantId = `m-${randomText(8)}`): Promise<{
    readonly used: string;
    readonly waiting: string;
  }> {
    const used = await registerAccount(this.admin, merchantId);
    return { used, waiting: await registerAccount(this.admin, merchantId) };
  }

  /** What the provider shows of the payment's intent from now on. */
  async payment(status: 'authorized' | 'capture_sent' | 'captured'): Promise<{
    readonly orderId: string;
    readonly paymentId: string;
  }> {
    const [orderId, intentId] = [newId('ord'), newId('pi')];
    const money = { amountMinor: 1_250, currency: 'eur' } as const;
    const terms = {
      ...money,
      platformId: 'shop',
      accountId: this.accountId,
      methods: ['card'] as const,
      returnUrl: null,
      description: null,
    };
    const at = instantFromMs(Date.now());
    const metadata = {
      correlationId: orderId,
      causationId: 'spec',
      actor: 'platform:shop',
      traceparent: null,
    };
    const observationOf = (reference: string) => ({
      intent: { intentId, reference, pageUrl: 'https://pay.test/p', status, ...money },
      attempts: [
        {
          attemptId: newId('paym'),
          status,
          response: '00',
          method: 'card' as const,
          createdAt: at,
          mandateId: null,
        },
      ],
      refunds: [],
      disputes: [],
    });
    const paymentId = await this.admin.store.step(metadata, async (step) => {
      step.create(orderAggregate, orderId, {
        type: 'PlaceOrder',
        ...terms,
        merchantId: 'm1',
        reference: randomText(12),
        capture: { policy: 'manual' },
        metadata: {},
        expiresAt: instantFromMs(Date.now() + 3_600_000),
        at,
      });
      // The checkout asks for the payment.
      await step.react();
      const order = await step.load(orderAggregate, orderId);
      assert(order.status === 'open', 'an order that was placed is open');
      const [id = ''] = order.payments;
      await step.execute(paymentAggregate, id, {
        type: 'ObservePayment',
        paymentId: id,
        observation: observationOf(id),
        at,
      });
      return id;
    });
    this.provider.intent = {
      id: intentId,
      status,
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

  /** An order that was paid, and whose money its card's payer took back. */
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
        type: 'NoteMoneyBack',
        how: 'chargeback',
        paymentId,
        disputeId: newId('dspt'),
        amountMinor: 1_250,
        response: '4837',
        payerResponse: '4837',
        at,
      },
      metadata,
    );
    return { orderId };
  }

  /** A capture that nobody knows the outcome of, and the provider shows to be done. */
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

  /** A refund of 5.00 that the provider has not made. */
  async unmadeRefund(): Promise<Target> {
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
        reason: 'the provider has not made it',
        at,
      });
    });
    return { subjectId: paymentId, requestId };
  }

  /** An order whose checkout could not react to its placement, and is blocked. */
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

  /** What the audit has of an action, in order. */
  async auditOf(actionId: unknown): Promise<readonly Record<string, unknown>[]> {
    const { rows } = await this.admin.pool.query<Record<string, unknown>>(
      `SELECT action, actor, reason, subject_id FROM audit
        WHERE detail->>'actionId' = $1 ORDER BY id`,
      [actionId],
    );
    return rows;
  }

  /** A target for which an action of this kind can be done now. */
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
      case 'give_up_refund':
        return this.unmadeRefund();
      case 'settle_call':
      case 'retry_call':
        return { subjectId: await this.stuckCapture() };
      case 'retry_reaction':
      case 'discard_reaction':
        return this.failedReaction();
      case 'close_exception': {
        const subjectId = newId('exc');
        await pool.query(
          `INSERT INTO reconciliation_exceptions (exception_id, kind, account_id, platform_id,
                  merchant_id, line_kind, object_id, currency, amount_minor, expected, observed,
                  since, found_at)
           VALUES ($1, 'missing', $2, 'shop', 'm1', 'payment', 'paym_1', 'eur', 1250, '12.50', '',
                   now(), now())`,
          [subjectId, this.accountId],
        );
        return { subjectId };
      }
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
