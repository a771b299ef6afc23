import { Pool } from 'pg';
import type { Clock } from '#kernel';
import {
  CLOCK,
  ConfigError,
  envSecret,
  envSecretOptional,
  envText,
  type Logger,
  LOGGER,
  refuseKnownSecret,
  requireHttps,
} from '#platform';
import {
  type AccountMode,
  notePauses,
  OnboardingClients,
  type PartnerKeys,
  ProviderCallLog,
} from '#psp';
import { PAYMENT_REFUSALS } from './classify-outcome.js';
import { HostedAdapter } from './hosted-adapter.js';
import { type OnboardingTransports, onboardingTransports } from './onboarding-client.js';
import { ProviderTransport } from './provider-transport.js';

/**
 * The URLs of the provider's APIs, the URL of our webhooks, and the key that encrypts the
 * provider's API keys.
 */
export interface ProviderPartsConfig {
  readonly providerUrl: string;
  /** The base URL of the partner API, which ends in `/api/partners`. */
  readonly partnersUrl: string;
  /** The base URL of the status history, which may be on another host. */
  readonly manageUrl: string;
  readonly partnerKeys: PartnerKeys;
  readonly publicWebhookUrl: string;
  readonly secretsKey: string;
}

const partnerKey = (name: string, mode: AccountMode): string | null => {
  const key = envSecretOptional(name) ?? null;
  const prefix = `spart_${mode}_`;
  if (key === null || key.startsWith(prefix)) return key && refuseKnownSecret(name, key);
  throw new ConfigError(`${name} must be a partner key that begins with ${prefix}`);
};

/**
 * The partner keys, needed by processes that onboard merchants. Throws `ConfigError` if a key does
 * not belong to the mode of its setting.
 */
export const partnerKeysFromEnv = (): PartnerKeys => ({
  test: partnerKey('PARTNER_TEST_KEY', 'test'),
  live: partnerKey('PARTNER_LIVE_KEY', 'live'),
});

/** Throws `ConfigError` with the missing or wrong setting. */
export const providerConfigFromEnv = (
  portBase: number,
): Omit<ProviderPartsConfig, 'partnerKeys'> => {
  const origin = (name: string, fallback: string): string =>
    requireHttps(name, envText(name, fallback));
  const providerUrl = origin('PROVIDER_URL', `http://127.0.0.1:${portBase + 3}`);
  return {
    providerUrl,
    partnersUrl: origin('PARTNERS_URL', `${providerUrl.replace(/\/+$/, '')}/api/partners`),
    manageUrl: origin('STATUS_HISTORY_URL', providerUrl),
    publicWebhookUrl: origin('PUBLIC_WEBHOOK_URL', `https://127.0.0.1:${portBase + 1}`),
    secretsKey: envSecret('SECRETS_KEY'),
  };
};

/** Injection token of the connections to the two URLs of the onboarding API. */
export const PARTNER_TRANSPORTS = Symbol('PARTNER_TRANSPORTS');

/** The Nest providers of `ProviderModule`. */
export const providerParts = (config: ProviderPartsConfig) => [
  {
    provide: ProviderCallLog,
    inject: [Pool, LOGGER, CLOCK],
    useFactory: (pool: Pool, logger: Logger, clock: Clock) =>
      new ProviderCallLog(pool, logger, clock),
  },
  {
    provide: ProviderTransport,
    inject: [ProviderCallLog, Pool, LOGGER],
    useFactory: ({ note }: ProviderCallLog, pool: Pool, logger: Logger) =>
      new ProviderTransport(config.providerUrl, {}, PAYMENT_REFUSALS, {
        onExchange: note,
        onRateLimited: notePauses(pool, logger),
      }),
  },
  {
    provide: PARTNER_TRANSPORTS,
    inject: [ProviderCallLog],
    useFactory: ({ note }: ProviderCallLog) =>
      onboardingTransports(config.partnersUrl, config.manageUrl, {}, { onExchange: note }),
  },
  {
    provide: HostedAdapter,
    inject: [ProviderTransport, PARTNER_TRANSPORTS],
    useFactory: (transport: ProviderTransport, partners: OnboardingTransports) =>
      new HostedAdapter(transport, partners),
  },
  {
    provide: OnboardingClients,
    inject: [HostedAdapter],
    useFactory: (adapter: HostedAdapter) => new OnboardingClients(adapter, config.partnerKeys),
  },
];
