import { HOUR_MS, Rejection } from '#kernel';
import {
  type AccountMode,
  type Calendar,
  type Capabilities,
  NO_ONBOARDING,
  type Onboarding,
  type Operation,
  type Pace,
  type ProviderAdapter,
  type ProviderClient,
  type WebhookDelivery,
  type WebhookHint,
} from '#psp';
import { OnboardingClient, type OnboardingTransports } from './onboarding-client.js';
import { operationOf } from './operations.js';
import { PaymentClient } from './payment-client.js';
import { PayoutClient } from './payout-client.js';
import type { ProviderTransport } from './provider-transport.js';
import { verifySignature } from './verify-signature.js';
import { hintOf } from './webhook-wire.js';

const KEY_PREFIX: Readonly<Record<AccountMode, string>> = { test: 'stest_', live: 'sprod_' };

const SIGNATURE_HEADER = 'service-signature';

/** The daily cut-off and settlement (docs/provider/payments-completion.md#states). */
export const HOSTED_CALENDAR: Calendar = { cutOffMs: 22 * HOUR_MS, settlementMs: 6 * HOUR_MS };

const CAPABILITIES: Omit<Capabilities, 'onboarding'> = {
  payments: true,
  // docs/provider/payments-completion.md#states: from `capture_sent` on the provider rejects a
  // cancellation with 409.
  cancelableUntil: 'to_capture',
  // A capture request has no body, so it cannot contain an amount. A second capture changes nothing
  // (docs/provider/payments-completion.md#states).
  partialCapture: false,
  multipleCapture: false,
  refunds: true,
  debits: true,
  payouts: true,
  sends: ['intent'],
};

/** The adapter of the provider specified in docs/provider, which has a hosted payment page. */
export class HostedAdapter implements ProviderAdapter {
  readonly name = 'hosted';
  readonly capabilities: Capabilities;

  readonly calendar = HOSTED_CALENDAR;

  /** Without the URLs of the onboarding API the adapter lacks the capability `onboarding`. */
  constructor(
    private readonly transport: Pick<ProviderTransport, 'send'>,
    private readonly partners: OnboardingTransports | null = null,
  ) {
    this.capabilities = { ...CAPABILITIES, onboarding: partners !== null };
  }

  checkKey({ mode, apiKey }: { readonly mode: AccountMode; readonly apiKey: string }): void {
    const prefix = KEY_PREFIX[mode];
    // An API key consists of visible ASCII characters without a colon, because in HTTP Basic a
    // colon ends the user name.
    if (apiKey.startsWith(prefix) && /^[!-9;-~]{10,200}$/.test(apiKey)) return;
    const message = `a ${mode} account needs an API key that begins with ${prefix}`;
    throw new Rejection('invalid_provider_key', message);
  }

  client(apiKey: string, pace?: Pace): ProviderClient {
    const { transport } = this;
    const paced: Pick<ProviderTransport, 'send'> =
      pace === undefined
        ? transport
        : {
            send: (key, request, decode) => pace(() => transport.send(key, request, decode)),
          };
    const payments = new PaymentClient(paced, apiKey);
    return { payments, endpoints: payments, payouts: new PayoutClient(paced, apiKey) };
  }

  onboarding(partnerKey: string): Onboarding {
    const { partners } = this;
    if (partners === null) return NO_ONBOARDING;
    return new OnboardingClient(partners, partnerKey);
  }

  operationOf(method: string, pathTemplate: string): Operation | null {
    return operationOf(method, pathTemplate);
  }

  checkWebhook({
    headers,
    rawBody,
    secret,
    nowSeconds,
  }: WebhookDelivery): 'verified' | 'unsigned' | 'wrong' {
    const header = headers[SIGNATURE_HEADER];
    if (typeof header !== 'string') return header === undefined ? 'unsigned' : 'wrong';
    return verifySignature({ header, rawBody, secret, nowSeconds }) ? 'verified' : 'wrong';
  }

  readWebhook(rawBody: Uint8Array): WebhookHint | null {
    return hintOf(rawBody);
  }
}
