import type { BlockList } from 'node:net';
import {
  databaseUrlFromEnv,
  envInt,
  envOptional,
  envPort,
  envText,
  refusedAddressesFromEnv,
  type TlsOptions,
  webhooksToLoopback,
} from '#platform';
import { partnerKeysFromEnv, providerConfigFromEnv, type ProviderPartsConfig } from '#psp-hosted';

/** The settings that the API reads from its environment. */
export interface ApiConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  /** Whether webhooks may be sent to loopback addresses: for development. */
  readonly webhooksToLoopback?: boolean;
  /** Public addresses to which no webhook may be sent. */
  readonly webhooksRefused?: BlockList;
  readonly port: number;
  /**
   * The internal port for metrics; a process that also runs the worker serves metrics on the
   * worker's port instead.
   */
  readonly internalPort: number;
  /** The listener for the provider's webhooks; undefined without a certificate. */
  readonly tls: TlsOptions | undefined;
  /** The maximum number of requests that each API key may send per second. */
  readonly requestsPerSecond: number;
}

/**
 * The paths that the provider's listener serves: only webhooks and no routes for platforms, because
 * the listener is reachable from the internet.
 */
const PROVIDER_PATHS = ['/provider/webhooks/'];

const tlsFromEnvironment = (portBase: number): TlsOptions | undefined => {
  const certFile = envOptional('TLS_CERT_FILE');
  if (certFile === undefined) return undefined;
  return {
    port: envPort('API_TLS_PORT', portBase + 1),
    certFile,
    keyFile: envText('TLS_KEY_FILE'),
    onlyUnder: PROVIDER_PATHS,
  };
};

/** Reads the settings from the environment. Throws a `ConfigError` that names a missing setting. */
export const apiConfig = (): ApiConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  return {
    databaseUrl: databaseUrlFromEnv(),
    webhooksToLoopback: webhooksToLoopback(),
    webhooksRefused: refusedAddressesFromEnv(),
    port: envPort('API_PORT', portBase),
    internalPort: envPort('API_INTERNAL_PORT', portBase + 11),
    tls: tlsFromEnvironment(portBase),
    ...providerConfigFromEnv(portBase),
    partnerKeys: partnerKeysFromEnv(),
    requestsPerSecond: envInt('API_REQUESTS_PER_SECOND', 5_000, { min: 1 }),
  };
};
