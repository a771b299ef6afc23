import { Pool } from 'pg';
import { createSecretBox } from '#platform';
import { ProviderAccounts } from './provider-accounts.js';
import { ProviderTransport } from './provider-transport.js';

/** Where the provider is, where it reaches us, and what its keys are sealed with. */
export interface ProviderPartsConfig {
  readonly providerUrl: string;
  readonly publicWebhookUrl: string;
  readonly secretsKey: string;
}

/** Nest providers of `ProviderTransport` and `ProviderAccounts`; they need a `Pool`. */
export const providerParts = ({ providerUrl, publicWebhookUrl, secretsKey }: ProviderPartsConfig) => [
  {
    provide: ProviderTransport,
    useFactory: () => new ProviderTransport(providerUrl),
  },
  {
    provide: ProviderAccounts,
    inject: [Pool, ProviderTransport],
    useFactory: (pool: Pool, transport: ProviderTransport) =>
      new ProviderAccounts({
        pool, transport, secretBox: createSecretBox(secretsKey), publicWebhookUrl,
      }),
  },
];
