import type { ProviderRequest } from '#psp-hosted';
import type { ProviderAnswer, SimulatedApi } from './api.js';
import { refundAnswer, type SimulatedIntent } from './intent.js';
import type { SimulatedProvider } from './provider.js';

/**
 * How the provider's responses about an intent are false: they show another id, another reference,
 * amount or currency; the response to a refund shows another refund; or the provider no longer has
 * the intent.
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

/** False responses about the first intent of one order. */
export interface Lie {
  readonly kind: LieKind;
  /** How long after the creation of the intent the responses become false. */
  readonly afterMs: number;
  /** How many responses are false; Infinity: all. */
  readonly responses: number;
}

/** What has happened to an order's intent because of its lie. */
export interface ShownLie extends Lie {
  readonly intentId: string;
  /** How many responses were false. */
  readonly responded: number;
  /**
   * How many of the false responses were sent after the faults had ended, so that each of them
   * arrived.
   */
  readonly arrived: number;
}

/** The planned lie about the first intent of an order. */
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
  /** Null: the provider responds truthfully about the intent. */
  readonly planOf: (intent: SimulatedIntent) => PlannedLie | null;
  /** The other intents that are recorded on their payments. */
  readonly recorded: (besides: SimulatedIntent) => readonly SimulatedIntent[];
}

/** Ids that belong to no object. */
const UNKNOWN_INTENT = `pi_${'Z'.repeat(24)}`;
const UNKNOWN_PAYMENT = `pay_${'Z'.repeat(24)}`;

type Fields = Readonly<Record<string, unknown>>;

/** The API of a provider that executes every request correctly, but sometimes responds falsely. */
export class LyingApi {
  private readonly shown = new Map<string, ShownLie>();

  constructor(private readonly parts: LyingApiParts) {}

  /** The lies that were shown so far, by order. */
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

  /** The intent that the request is about. */
  private intentOf(request: ProviderRequest, body: Fields): SimulatedIntent | undefined {
    const { intents } = this.parts.provider;
    const { id, query } = request;
    if (isCreation(request)) return intents.find((one) => one.id === body['id']);
    const reference = query?.['order_id'];
    if (reference !== undefined) return intents.find((one) => one.orderId === reference);
    return intents.find((one) => one.id === id);
  }

  /**
   * The response body with the false value; the correct body if this response is not to be false.
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

  /** A refund of another payment with the requested amount; without one, another amount. */
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
