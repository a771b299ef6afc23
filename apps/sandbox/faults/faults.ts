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

const matchesEvent = (target: EventTarget, type: string): boolean =>
  target === '*' ||
  target === type ||
  (target.endsWith('.*') && type.startsWith(target.slice(0, -1)));

/** The registered faults for API calls and for webhooks. In memory: a restart clears them. */
@Injectable()
export class Faults {
  private readonly calls = new FaultQueue<CallTarget, CallFaultKind>(
    (target, route) => target === '*' || target === route,
  );
  private readonly webhooks = new FaultQueue<EventTarget, WebhookFaultKind>(matchesEvent);
  private readonly routes = new Set<CallTarget>(['*']);

  /** Registers an existing route in canonical form: only registered routes can have faults. */
  registerRoute(route: CallTarget): void {
    this.routes.add(route);
  }

  /** Throws `ApiError` 422 for a route that does not exist. */
  addCall(plan: FaultPlan<CallTarget, CallFaultKind>): CallFault {
    if (!this.routes.has(plan.target)) {
      const msg =
        `Unknown route ${plan.target}: write it like ` +
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

  /** Returns false when no fault has this id. */
  remove(id: string): boolean {
    return this.calls.remove(id) || this.webhooks.remove(id);
  }

  /** The fault to inject into this call; null when no fault applies. `route` is canonical. */
  takeCallFault(route: string): CallFault | null {
    return this.calls.take(route);
  }

  /** The fault to inject into this delivery; null when no fault applies. */
  takeWebhookFault(type: string): WebhookFault | null {
    return this.webhooks.take(type);
  }
}
