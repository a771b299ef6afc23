import type { ProviderRequest } from '#psp-hosted';
import type { ProviderAnswer, SimulatedApi } from './api.js';
import { refundAnswer, type SimulatedIntent } from './intent.js';
import type { SimulatedProvider } from './provider.js';

/**
 * The kinds of false responses about an intent. The response shows another id, reference, amount or
 * currency; the response to a refund shows another refund; or the intent is not found.
 */
export const LIE_KINDS = [
  'another_id',
  'another_reference',
  'another_amount',
  'another_currency',
  'another_refund',
  'forgotten',
] as const;

export type LieKind = (typeof LIE_KINDS)[number];

/** The plan of false responses about the first intent of an order. */
export interface Lie {
  readonly kind: LieKind;
  /** How long after the creation of the intent the responses become false. */
  readonly afterMs: number;
  /** The number of false responses; Infinity if all responses are false. */
  readonly responses: number;
}

/** The false responses that were sent about an order's intent so far. */
export interface ShownLie extends Lie {
  readonly intentId: string;
  /** The number of false responses so far. */
  readonly responded: number;
  /**
   * How many of the false responses were sent after the faults had ended, so that each of them
   * arrived.
   */
  readonly arrived: number;
}

/** The plan of false responses about the first intent of this order. */
export interface PlannedLie {
  readonly orderId: string;
  readonly lie: Lie;
}

export interface LyingApiParts {
  readonly api: SimulatedApi;
  readonly provider: SimulatedProvider;
  readonly nowMs: () => number;
  /** Whether every response arrives, because the faults have ended. */
  readonly isReliable: () => boolean;
  /** The planned false responses about an intent; null if all responses about it are true. */
  readonly planOf: (intent: SimulatedIntent) => PlannedLie | null;
  /** All intents that are recorded on a payment, except the given intent. */
  readonly recorded: (besides: SimulatedIntent) => readonly SimulatedIntent[];
}

/** Ids of objects that do not exist. */
const UNKNOWN_INTENT = `pi_${'Z'.repeat(24)}`;
const UNKNOWN_PAYMENT = `pay_${'Z'.repeat(24)}`;

type Fields = Readonly<Record<string, unknown>>;

/** The API of a provider that executes every request correctly, but sometimes responds falsely. */
export class LyingApi {
  private readonly shown = new Map<string, ShownLie>();

  constructor(private readonly parts: LyingApiParts) {}

  /** The false responses that were sent so far, by order. */
  get lies(): ReadonlyMap<string, ShownLie> {
    return this.shown;
  }

  answer(accountId: string, request: ProviderRequest): ProviderAnswer {
    const { parts } = this;
    const answer = parts.api.answer(accountId, request);
    if (answer.status !== 200) return answer;
    const body = answer.body as Fields;
    const intent = this.intentOf(request, body);
    const plan = intent === undefined ? null : parts.planOf(intent);
    if (intent === undefined || plan === null) return answer;
    const { orderId, lie } = plan;
    if (lie.kind === 'forgotten') {
      if (isCreation(request)) {
        parts.provider.forgetAfter(intent, lie.afterMs, () => this.record(orderId, intent, lie));
      }
      return answer;
    }
    const responded = this.shown.get(orderId)?.responded ?? 0;
    const isTrue = parts.nowMs() < intent.createdMs + lie.afterMs || responded >= lie.responses;
    const shown = isTrue ? body : this.falsified(lie.kind, intent, request, body);
    if (shown === body) return answer;
    this.record(orderId, intent, lie);
    return { ...answer, body: shown };
  }

  private record(orderId: string, { id: intentId }: SimulatedIntent, lie: Lie): void {
    const { responded = 0, arrived = 0 } = this.shown.get(orderId) ?? {};
    const arrivedNow = arrived + (this.parts.isReliable() ? 1 : 0);
    this.shown.set(orderId, {
      ...lie,
      intentId,
      responded: responded + 1,
      arrived: arrivedNow,
    });
  }

  /** The intent that the request reads or changes. */
  private intentOf(request: ProviderRequest, body: Fields): SimulatedIntent | undefined {
    const { intents } = this.parts.provider;
    const { id, query } = request;
    if (isCreation(request)) return intents.find((one) => one.id === body['id']);
    const reference = query?.['order_id'];
    if (reference !== undefined) return intents.find((one) => one.orderId === reference);
    return intents.find((one) => one.id === id);
  }

  /**
   * The response body with a false value, or the true body if this kind of request has no false
   * response.
   */
  private falsified(
    kind: Exclude<LieKind, 'forgotten'>,
    intent: SimulatedIntent,
    { method, pathTemplate }: ProviderRequest,
    body: Fields,
  ): Fields {
    if (kind === 'another_refund') {
      const isRefund = method === 'POST' && pathTemplate.endsWith('/refund');
      return isRefund ? this.anotherRefund(intent, body) : body;
    }
    const changes = this.changes(kind, intent);
    if (body['id'] === intent.id) return { ...body, ...changes };
    const listed = body['payment_intents'] as readonly Fields[] | undefined;
    if (listed === undefined || listed.length === 0) return body;
    return { ...body, payment_intents: listed.map((one) => ({ ...one, ...changes })) };
  }

  private changes(
    kind: Exclude<LieKind, 'forgotten' | 'another_refund'>,
    intent: SimulatedIntent,
  ): Fields {
    const [other] = this.parts.recorded(intent);
    switch (kind) {
      case 'another_id':
        return { id: other?.id ?? UNKNOWN_INTENT };
      case 'another_reference': {
        const reference = other?.orderId ?? UNKNOWN_PAYMENT;
        return { order_id: reference, unique_id: reference };
      }
      case 'another_amount':
        return { amount: intent.amount + 100 };
      case 'another_currency':
        return { currency: intent.currency === 'eur' ? 'usd' : 'eur' };
    }
  }

  /**
   * The response shows a refund of another payment, or another amount if there is no such refund.
   */
  private anotherRefund(intent: SimulatedIntent, body: Fields): Fields {
    const { amount, currency } = body;
    const others = this.parts.provider.intents.filter((one) => one !== intent);
    const other = others.find(({ refunds }) => refunds.length > 0);
    const refund = other?.refunds[0];
    if (other === undefined || refund === undefined) return { ...body, amount: Number(amount) + 1 };
    return { ...refundAnswer(other, refund), amount, currency };
  }
}

const isCreation = ({ method, pathTemplate }: ProviderRequest): boolean =>
  method === 'POST' && pathTemplate === '/v2/payment_intents/';
