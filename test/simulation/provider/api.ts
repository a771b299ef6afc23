import { assert } from '#kernel';
import type { ProviderRequest } from '#psp-hosted';
import {
  disputeAnswer,
  intentAnswer,
  paymentAnswer,
  refundAnswer,
  type SimulatedIntent,
} from './intent.js';
import { Refused, type SimulatedProvider } from './provider.js';

export interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Decides how the payer's bank responds to a debit by mandate. */
export type DebitPlan = (mandateId: string, intent: SimulatedIntent) => void;

type Body = Readonly<Record<string, unknown>>;

const list = (name: string, items: readonly object[]) => ({
  [name]: items.toReversed(),
  range: { has_more: false },
});

const listOf = (intent: SimulatedIntent, what: string) => {
  switch (what) {
    case 'payments':
      return list(
        what,
        intent.attempts.map((one) => paymentAnswer(intent, one)),
      );
    case 'refunds':
      return list(
        what,
        intent.refunds.map((one) => refundAnswer(intent, one)),
      );
    case 'disputes':
      return list(
        what,
        intent.disputes.map((one) => disputeAnswer(intent, one)),
      );
    default:
      throw new Refused(404, `no list of ${what}`);
  }
};

/** The simulated provider rejects the creation of an intent with this amount. */
export const REFUSED_AMOUNT_MINOR = 66_666;

/**
 * The routes of the provider's payment API that the orchestrator calls, served by the simulated
 * provider.
 */
export class SimulatedApi {
  constructor(
    private readonly provider: SimulatedProvider,
    private readonly debit: DebitPlan,
  ) {}

  /** Answers a request with the API key of this account, which sees only its own objects. */
  answer(accountId: string, request: ProviderRequest): ProviderAnswer {
    // Executes the provider's due steps (clearing, expiry, …) before it handles the request.
    while (this.provider.stepDue());
    try {
      return { status: 200, body: this.route(accountId, request) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: { error: error.message } };
    }
  }

  private route(
    accountId: string,
    { method, pathTemplate, id, query, body = {} }: ProviderRequest,
  ): object {
    const { provider } = this;
    const fields = body as Body;
    const [, , resource, hasId, what] = pathTemplate.split('/');
    if (resource !== 'payment_intents') {
      return this.ofAccount(accountId, pathTemplate, { id, ...query });
    }
    if (hasId === '') {
      return method === 'POST'
        ? this.create(accountId, fields)
        : this.found(accountId, query ?? {});
    }
    const intent = provider.intent(id ?? '');
    if (intent.accountId !== accountId) throw new Refused(404, `Payment intent ${id} not found`);
    switch (`${method} ${what ?? ''}`) {
      case 'GET ':
        return intentAnswer(intent);
      case 'DELETE ':
        provider.cancel(intent);
        return intentAnswer(intent);
      case 'PATCH ':
        if (!provider.takesAttempt(intent)) throw new Refused(409, `it is ${intent.status}`);
        this.debit(String(fields['sepa']), intent);
        return intentAnswer(intent);
      case 'POST capture':
        provider.capture(intent);
        return intentAnswer(intent);
      case 'POST refund':
        return refundAnswer(intent, provider.refund(intent, Number(fields['amount'])));
      default:
        assert(method === 'GET' && what !== undefined, `${method} ${pathTemplate} is simulated`);
        return listOf(intent, what);
    }
  }

  /**
   * Routes that do not belong to one intent: the account's lists, filtered by `created`, and a
   * payment by its id.
   */
  private ofAccount(accountId: string, pathTemplate: string, query: Body): object {
    const intents = this.intentsOf(accountId);
    const payments = intents.flatMap((intent) =>
      intent.attempts.map((one) => paymentAnswer(intent, one)),
    );
    const sinceMade = <T extends { readonly created: number }>(made: readonly T[]): readonly T[] =>
      made
        .filter(({ created }) => created >= Number(query['created']))
        .toSorted((a, b) => a.created - b.created);
    switch (pathTemplate) {
      case '/v2/payments/{id}': {
        const payment = payments.find((one) => one.id === query['id']);
        if (payment === undefined) throw new Refused(404, 'Payment not found');
        return payment;
      }
      case '/v2/payments':
        return list('payments', sinceMade(payments));
      case '/v2/refunds':
        return list(
          'refunds',
          sinceMade(
            intents.flatMap((intent) => intent.refunds.map((one) => refundAnswer(intent, one))),
          ),
        );
      case '/v2/disputes':
        return list(
          'disputes',
          sinceMade(
            intents.flatMap((intent) => intent.disputes.map((one) => disputeAnswer(intent, one))),
          ),
        );
      default:
        assert(false, `${pathTemplate} is simulated`);
    }
  }

  private intentsOf(accountId: string): readonly SimulatedIntent[] {
    return this.provider.intents.filter((one) => one.accountId === accountId && !one.isForgotten);
  }

  private create(accountId: string, fields: Body): object {
    const amount = Number(fields['amount']);
    if (amount === REFUSED_AMOUNT_MINOR) throw new Refused(422, 'amount is refused');
    return intentAnswer(
      this.provider.create({
        accountId,
        amount,
        currency: String(fields['currency']),
        orderId: String(fields['order_id']),
        uniqueId: String(fields['unique_id']),
      }),
    );
  }

  private found(accountId: string, query: Body): object {
    const named = this.intentsOf(accountId).filter(({ orderId }) => orderId === query['order_id']);
    return list('payment_intents', named.map(intentAnswer));
  }
}
