import { Controller, Headers, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { type Logger, LOGGER, Metrics, Problem } from '#platform';
import {
  decodeWebhookEvent, MalformedWire, ProviderAccounts, verifySignature, type WireEvent,
} from '#provider';
import { type RefusalReason, RefusedWebhooks } from './refused-webhooks.js';
import { Refusals } from './refusals.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Without a reason: who forges learns nothing, not even whether the account exists. */
const refused = (): Problem => new Problem(401, 'unauthorized', 'the webhook is not accepted');

const tooMany = (afterSeconds: number): Problem =>
  new Problem(429, 'rate_limited', 'too many webhooks were not accepted', {
    headers: { 'retry-after': String(afterSeconds) },
  });

/** Where the provider tells of its events. They are kept first; the worker reads what they mean. */
@ApiExcludeController()
@Controller('provider/webhooks')
export class WebhooksController {
  private readonly received;
  private readonly refusals = new Refusals();
  private readonly refused: RefusedWebhooks;
  private readonly secrets: WebhookSecrets;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    accounts: ProviderAccounts,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.refused = new RefusedWebhooks(pool, logger);
    this.secrets = new WebhookSecrets(accounts);
    this.received = metrics.counter(
      'webhooks_received_total', 'Webhooks by what came of them', ['outcome'],
    );
  }

  @Post(':accountId')
  @HttpCode(204)
  @RouteConfig({ rawBody: true })
  async receive(
    @Param('accountId') accountId: string,
    @Req() request: FastifyRequest,
    @Headers('service-signature') header?: string,
  ): Promise<void> {
    const afterSeconds = this.refusals.waitOf(request.ip);
    if (afterSeconds !== null && !this.secrets.knows(accountId)) throw this.limited(afterSeconds);
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const secret = await this.secrets.of(accountId);
    const nowSeconds = Date.now() / 1_000;
    if (secret === null) throw this.refusal(request, rawBody, null, 'unknown account');
    if (!verifySignature({ header, rawBody, secret, nowSeconds })) {
      const reason = header === undefined ? 'no signature' : 'signature or time is wrong';
      throw this.refusal(request, rawBody, accountId, reason);
    }
    const { id, type, intentId } = this.eventOf(rawBody, accountId);
    const { rowCount } = await this.pool.query({
      name: 'webhook-received',
      text: `INSERT INTO webhooks_received (account_id, event_id, type, body, intent_id)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, event_id) DO NOTHING`,
      values: [accountId, id, type, rawBody, intentId],
    });
    this.received.inc({ outcome: rowCount === 1 ? 'stored' : 'known' });
  }

  private eventOf(rawBody: Buffer, accountId: string): WireEvent {
    try {
      return decodeWebhookEvent(rawBody);
    } catch (error) {
      if (!(error instanceof MalformedWire)) throw error;
      this.refused.note(accountId, 'not an event', rawBody);
      throw new Problem(422, 'malformed_event', 'the body is not an event', { cause: error });
    }
  }

  private refusal(
    { ip }: FastifyRequest, rawBody: Buffer, accountId: string | null, reason: RefusalReason,
  ): Problem {
    this.refusals.count(ip);
    const afterSeconds = this.refusals.waitOf(ip);
    if (afterSeconds !== null) return this.limited(afterSeconds);
    this.refused.note(accountId, reason, rawBody);
    this.received.inc({ outcome: 'refused' });
    return refused();
  }

  private limited(afterSeconds: number): Problem {
    this.received.inc({ outcome: 'limited' });
    return tooMany(afterSeconds);
  }
}
