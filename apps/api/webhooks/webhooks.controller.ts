import { createHash } from 'node:crypto';
import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { EventStore, Wakes } from '#log';
import { paymentAggregate, reasonToIgnore } from '#payment';
import { inSpan, type Logger, LOGGER, Metrics, Problem } from '#platform';
import { type ProviderAccount, ProviderAccounts, type WebhookHint } from '#psp';
import { OpenWebhooks } from './open-webhooks.js';
import { type RefusalReason, RefusedWebhooks } from './refused-webhooks.js';
import { Refusals } from './refusals.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookStore } from './webhook-store.js';

/** The response contains no reason, so that a forger does not learn whether the account exists. */
const refused = (): Problem => new Problem(401, 'unauthorized', 'the webhook is not accepted');

const tooMany = (detail: string, afterSeconds: number): Problem =>
  new Problem(429, 'rate_limited', detail, {
    headers: { 'retry-after': String(afterSeconds) },
  });

const PAYMENT_ID = /^pay_[A-Za-z0-9]{24}$/;
const STATUS = /^[a-z_ ]{1,60}$/;
const EVENT_TYPE = /^[a-z_.]{1,60}$/;

/** When the webhooks of an account that has too many open ones are sent again at the earliest. */
const FULL_FOR_SECONDS = 60;

/** The possible results of a received webhook; a metric counts the webhooks by result. */
const OUTCOMES = ['stored', 'known', 'refused', 'limited'] as const;

/**
 * Returns the value if it matches the pattern. A value in any other format is not stored, because
 * it may contain text of the platform or the payer.
 */
const ifLike = (form: RegExp, text: string | null): string | null =>
  text !== null && form.test(text) ? text : null;

/**
 * Receives the provider's webhooks. The API only stores them. A webhook that shows nothing new is
 * stored as handled; for every other webhook, the worker reads the intent. A body may contain
 * personal data, so only the fields that the worker uses and a digest are stored.
 */
@ApiExcludeController()
@Controller('provider/webhooks')
export class WebhooksController {
  private readonly received;
  private readonly refusals = new Refusals();
  private readonly refused: RefusedWebhooks;
  private readonly secrets: WebhookSecrets;
  private readonly open: OpenWebhooks;
  private readonly store: WebhookStore;

  constructor(
    @Inject(Pool) pool: Pool,
    private readonly accounts: ProviderAccounts,
    private readonly events: EventStore,
    wakes: Wakes,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.refused = new RefusedWebhooks(pool, logger);
    this.secrets = new WebhookSecrets(accounts);
    this.open = new OpenWebhooks(pool);
    this.store = new WebhookStore(pool, wakes);
    this.received = metrics.counter(
      'webhooks_received_total',
      'Webhooks received from the provider, by result',
      ['outcome'],
    );
    // Each metric series must exist before its first webhook: an alert on the increase of a series
    // cannot see the increment that creates the series.
    for (const outcome of OUTCOMES) this.received.inc({ outcome }, 0);
  }

  @Post(':accountId')
  @HttpCode(204)
  @RouteConfig({ rawBody: true })
  async receive(
    @Param('accountId') accountId: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const afterSeconds = this.refusals.waitOf(request.ip);
    if (afterSeconds !== null && !this.secrets.knows(accountId)) throw this.limited(afterSeconds);
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const account = await this.secrets.of(accountId);
    const nowSeconds = Date.now() / 1_000;
    if (account === null) throw this.refusal(request, rawBody, null, 'unknown account');
    const { headers } = request;
    const adapter = this.accounts.adapterOf(account);
    const check = adapter.checkWebhook({
      headers,
      rawBody,
      secret: account.webhookSecret,
      nowSeconds,
    });
    if (check !== 'verified') {
      const reason = check === 'unsigned' ? 'no signature' : 'signature or time is wrong';
      throw this.refusal(request, rawBody, accountId, reason);
    }
    const { eventId, type, intentId, reference, status } = this.hintOf(rawBody, account);
    const paymentId = ifLike(PAYMENT_ID, reference);
    const shown = { accountId, intentId, status: ifLike(STATUS, status) };
    // The payment is read from the cache only, so that the webhook is acknowledged without a read
    // of the event log.
    const known = paymentId === null ? null : this.events.cached(paymentAggregate, paymentId);
    const span = {
      name: `webhook ${type}`,
      kind: 'consumer',
      parent: known?.traceparent,
      attributes: { 'webhook.id': eventId },
    } as const;
    const ignored = known === null ? null : reasonToIgnore(known.state, shown);
    if (ignored === null && !(await this.open.takeRoom(accountId))) {
      throw this.limited(FULL_FOR_SECONDS, 'too many webhooks of the account are not handled yet');
    }
    const outcome = await inSpan(span, () =>
      this.store.store({
        ...shown,
        eventId,
        type,
        orderId: paymentId,
        ignored,
        bodyBytes: rawBody.length,
        bodySha256: createHash('sha256').update(rawBody).digest(),
      }),
    );
    this.received.inc({ outcome });
  }

  private hintOf(rawBody: Buffer, account: ProviderAccount): WebhookHint {
    const hint = this.accounts.adapterOf(account).readWebhook(rawBody);
    if (hint !== null) return { ...hint, type: ifLike(EVENT_TYPE, hint.type) ?? 'unknown' };
    this.refused.note(account.id, 'not an event', rawBody);
    throw new Problem(422, 'malformed_event', 'the body is not an event');
  }

  private refusal(
    { ip }: FastifyRequest,
    rawBody: Buffer,
    accountId: string | null,
    reason: RefusalReason,
  ): Problem {
    this.refusals.count(ip);
    const afterSeconds = this.refusals.waitOf(ip);
    if (afterSeconds !== null) return this.limited(afterSeconds);
    this.refused.note(accountId, reason, rawBody);
    this.received.inc({ outcome: 'refused' });
    return refused();
  }

  private limited(
    afterSeconds: number,
    detail = 'too many webhooks were refused; retry later',
  ): Problem {
    this.received.inc({ outcome: 'limited' });
    return tooMany(detail, afterSeconds);
  }
}
