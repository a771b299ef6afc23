import { AssertionFailed, type Clock, Rejection, SECOND_MS } from '#kernel';
import { type EventStore, StepSuperseded } from '#event-store';
import { paymentAggregate, type PaymentCommand, withAttempts } from '#payment';
import {
  decodeWebhookEvent, isProviderError, MalformedWire, type PaymentClient, ProviderRateLimited,
} from '#provider';
import type { Logger } from '#platform';
import type { ReceivedWebhook, WebhookQueue } from './webhook-queue.js';

const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 300 * SECOND_MS;

/** Webhooks about one intent that came before it was read: one read serves them all. */
export interface WebhookGroup {
  readonly accountId: string;
  readonly intentId: string;
  /** The one that is told as the cause. */
  readonly first: ReceivedWebhook;
  readonly ids: readonly string[];
}

export interface WebhookHandlerParts {
  readonly store: EventStore;
  readonly queue: WebhookQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (accountId: string) => Promise<PaymentClient | null>;
}

const waitMsOf = (error: unknown, tries: number): number => {
  const asked = error instanceof ProviderRateLimited ? error.retryAfterMs ?? 0 : 0;
  return Math.max(asked, Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS));
};

/** What a webhook is about; a text that says why it concerns no payment of ours. */
const intentOf = ({ type, body }: ReceivedWebhook): { intentId: string } | { note: string } => {
  if (!/^payment(?:_intent)?\./.test(type)) return { note: `nothing follows from ${type}` };
  try {
    const { intentId } = decodeWebhookEvent(body);
    return intentId === null ? { note: 'it concerns no payment intent' } : { intentId };
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    return { note: `unreadable: ${error.message}` };
  }
};

/**
 * Webhooks are hints: what they are about is read from the provider, and goes through the one door.
 * So a late, doubled, reordered or forged one can at most cause a read.
 */
export class WebhookHandler {
  constructor(private readonly parts: WebhookHandlerParts) {}

  /** Claims open webhooks, ends those that concern no payment, and groups the others by intent. */
  async claim(limit: number): Promise<readonly WebhookGroup[]> {
    const { queue } = this.parts;
    const groups = new Map<string, WebhookGroup>();
    for (const webhook of await queue.claim(limit)) {
      const about = intentOf(webhook);
      if ('note' in about) {
        await queue.handled([webhook.id], about.note);
        continue;
      }
      const { accountId, id } = webhook;
      const { intentId } = about;
      const key = `${accountId} ${intentId}`;
      const group = groups.get(key) ?? { accountId, intentId, first: webhook, ids: [] };
      groups.set(key, { ...group, ids: [...group.ids, id] });
    }
    return [...groups.values()];
  }

  /** Rejects when the database fails: the claim then lapses, and they are taken up again. */
  async handle(group: WebhookGroup): Promise<void> {
    const { queue, logger } = this.parts;
    const { first, ids, intentId } = group;
    try {
      const note = await this.observe(group);
      // The first one was ended in the step that observed.
      if (note === null) await queue.handled(ids.slice(1), `read with ${first.eventId}`);
      else await queue.handled(ids, note);
    } catch (error) {
      if (isProviderError(error) && error.kind === 'rejected') {
        await queue.handled(ids, `the provider does not show it: ${error.status}`);
        return;
      }
      const isBug = error instanceof AssertionFailed || error instanceof Rejection;
      if (!isProviderError(error) && !isBug) throw error;
      await queue.putBack(ids, waitMsOf(error, first.tries), error.message);
      logger[isBug ? 'error' : 'warn']({ intentId, err: error }, 'a webhook is put off');
    }
  }

  /** Answers why there is nothing to observe; null when it was observed. */
  private async observe({ accountId, intentId, first }: WebhookGroup): Promise<string | null> {
    const { store, clock, clientOf } = this.parts;
    const client = await clientOf(accountId);
    if (client === null) return 'the account is not there';
    const intent = await client.getIntent(intentId);
    const paymentId = intent.order_id;
    if (paymentId === null) return 'not ours: it carries no reference';
    const { state: payment } = await store.load(paymentAggregate, paymentId);
    // Whoever shares the provider's account with us makes intents of their own.
    if (payment.status === 'none' || payment.terms.accountId !== accountId) return 'not ours';
    const observation = await withAttempts(client, intent);
    const metadata = {
      correlationId: payment.terms.orderId, causationId: first.eventId, actor: 'provider',
      traceparent: null,
    };
    const observe = (): PaymentCommand => ({
      type: 'ObservePayment', observation, at: clock.now(),
    });
    try {
      await store.step(metadata, async (step) => {
        step.webhookHandled(first.id);
        await step.execute(paymentAggregate, paymentId, observe());
      });
    } catch (error) {
      if (!(error instanceof StepSuperseded)) throw error;
      // Our claim had lapsed and another worker was faster; what we have read may be newer.
      await store.execute(paymentAggregate, paymentId, observe(), metadata);
    }
    return null;
  }
}
