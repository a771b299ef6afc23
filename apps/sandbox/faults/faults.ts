import { Injectable } from '@nestjs/common';
import { invalid } from '../api/api-error.js';
import { FaultQueue } from './fault-queue.js';
import type {
  CallFault,
  CallFaultKind,
  CallTarget,
  EventTarget,
  FaultPlan,
  WebhookFault,
  WebhookFaultKind,
} from './fault.js';

const isMeant = (target: EventTarget, type: string): boolean =>
  target === '*' ||
  target === type ||
  (target.endsWith('.*') && type.startsWith(target.slice(0, -1)));

/** The faults that are waiting for calls and for webhooks. In memory: a restart forgets them. */
@Injectable()
export class Faults {
  private readonly calls = new FaultQueue<CallTarget, CallFaultKind>(
    (target, route) => target === '*' || target === route,
  );
  private readonly webhooks = new FaultQueue<EventTarget, WebhookFaultKind>(isMeant);
  private readonly routes = new Set<CallTarget>(['*']);

  /** A route that there is, canonical: calls of no other can be met. */
  knowRoute(route: CallTarget): void {
    this.routes.add(route);
  }

  /** Throws `ApiError` 422 for a route that no call can be of. */
  addCall(plan: FaultPlan<CallTarget, CallFaultKind>): CallFault {
    if (!this.routes.has(plan.target)) {
      const msg =
        `There is no route ${plan.target}: it is written like ` +
        'POST /v2/payment_intents/{id}/capture, or * for every call';
      throw invalid({ loc: ['body', 'route'], msg, type: 'value_error' });
    }
    return this.calls.add(plan);
  }

  addWebhook(plan: FaultPlan<EventTarget, WebhookFaultKind>): WebhookFault {
    return this.webhooks.add(plan);
  }

  allCalls(): readonly CallFault[] {
    return this.calls.all();
  }

  allWebhooks(): readonly WebhookFault[] {
    return this.webhooks.all();
  }

  clear(): void {
    this.calls.clear();
    this.webhooks.clear();
  }

  /** False when there is none with this id. */
  remove(id: string): boolean {
    return this.calls.remove(id) || this.webhooks.remove(id);
  }

  /** What this call is to suffer; null for nothing. `route` is canonical. */
  meetCall(route: string): CallFault | null {
    return this.calls.take(route);
  }

  /** What this delivery of an event is to suffer; null for nothing. */
  meetWebhook(type: string): WebhookFault | null {
    return this.webhooks.take(type);
  }
}
