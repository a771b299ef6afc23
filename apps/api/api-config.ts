import {
  databaseUrlFromEnv,
  envInt,
  envOptional,
  envPort,
  envText,
  type TlsOptions,
} from '#platform';
import { partnerKeysFromEnv, providerConfigFromEnv, type ProviderPartsConfig } from '#psp-hosted';

/** What the api needs from its environment. */
export interface ApiConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  readonly port: number;
  /** For metrics, which are no platform's; an api that is a worker too has the worker's. */
  readonly internalPort: number;
  /** Where the provider reaches us; undefined: without a certificate there is no such listener. */
  readonly tls: TlsOptions | undefined;
  /** For each API key. */
  readonly requestsPerSecond: number;
}

/**
 * The listener that is open to the provider, so to the internet, serves its webhooks and nothing
 * else: the platforms' routes stay inside.
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

/** Throws `ConfigError` that names what is missing. */
export const apiConfig = (): ApiConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  return {
    databaseUrl: databaseUrlFromEnv(),
    port: envPort('API_PORT', portBase),
    internalPort: envPort('API_INTERNAL_PORT', portBase + 11),
    tls: tlsFromEnvironment(portBase),
    ...providerConfigFromEnv(portBase),
    partnerKeys: partnerKeysFromEnv(),
    requestsPerSecond: envInt('API_REQUESTS_PER_SECOND', 5_000, { min: 1 }),
  };
};
