import { Rejection } from '#kernel';
import {
  type Capabilities,
  type Capability,
  CapabilityMissing,
  NO_ONBOARDING,
  type Onboarding,
  type Payments,
  type Payouts,
  type ProviderAdapter,
  type ProviderClient,
  type WebhookEndpoints,
} from '#psp';

const lacks = (capability: Capability) => (): Promise<never> =>
  Promise.reject(new CapabilityMissing(capability));

const payments: Payments = {
  createIntent: lacks('payments'),
  getIntent: lacks('payments'),
  findIntents: lacks('payments'),
  details: lacks('payments'),
  captureIntent: (_intentId, { amountMinor }) =>
    lacks(amountMinor === null ? 'payments' : 'partialCapture')(),
  cancelIntent: lacks('cancelableUntil'),
  debitMandate: lacks('debits'),
  refundIntent: lacks('refunds'),
};

const payouts: Payouts = {
  listPayouts: lacks('payouts'),
  getPayout: lacks('payouts'),
  payoutPayments: lacks('payouts'),
  payoutRefunds: lacks('payouts'),
  payoutDisputes: lacks('payouts'),
  listPayments: lacks('payouts'),
  listRefunds: lacks('payouts'),
  listDisputes: lacks('payouts'),
  getPayment: lacks('payouts'),
};

const endpoints: WebhookEndpoints = {
  listWebhookEndpoints: lacks('sends'),
  createWebhookEndpoint: lacks('sends'),
};

/**
 * An adapter without any capability: copy it to begin a new adapter. It shows how each operation is
 * refused.
 */
export class NoneAdapter implements ProviderAdapter {
  readonly name = 'none';
  readonly capabilities: Capabilities = {
    payments: false,
    cancelableUntil: null,
    partialCapture: false,
    multipleCapture: false,
    refunds: false,
    debits: false,
    payouts: false,
    onboarding: false,
    sends: [],
  };

  readonly calendar = { cutOffMs: 0, settlementMs: 0 };

  checkKey(): void {
    throw new Rejection('invalid_provider_key', 'this provider has no API keys');
  }

  client(): ProviderClient {
    return { payments, payouts, endpoints };
  }

  onboarding(): Onboarding {
    return NO_ONBOARDING;
  }

  operationOf(): null {
    return null;
  }

  checkWebhook(): 'wrong' {
    return 'wrong';
  }

  readWebhook(): null {
    return null;
  }
}
