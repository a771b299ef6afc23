import type { BlockList } from 'node:net';
import {
  databaseUrlFromEnv,
  envInt,
  envPort,
  refusedAddressesFromEnv,
  webhooksToLoopback,
} from '#platform';
import { partnerKeysFromEnv, providerConfigFromEnv, type ProviderPartsConfig } from '#psp-hosted';

/** The settings that a worker reads from its environment; `#kafka` reads Kafka's settings. */
export interface WorkerConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  /** Whether webhooks may be sent to loopback addresses: for development. */
  readonly webhooksToLoopback?: boolean;
  /** Public addresses to which no webhook may be sent. */
  readonly webhooksRefused?: BlockList;
  readonly port: number;
  /** Background calls per minute with each provider key, over all workers together. */
  readonly readsPerMinute: number;
}

/** Reads the settings from the environment. Throws a `ConfigError` that names a missing setting. */
export const workerConfig = (): WorkerConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  return {
    databaseUrl: databaseUrlFromEnv(),
    webhooksToLoopback: webhooksToLoopback(),
    webhooksRefused: refusedAddressesFromEnv(),
    port: envPort('WORKER_PORT', portBase + 2),
    readsPerMinute: envInt('PROVIDER_READS_PER_MINUTE', 600, { min: 1, max: 10_000_000 }),
    ...providerConfigFromEnv(portBase),
    partnerKeys: partnerKeysFromEnv(),
  };
};
