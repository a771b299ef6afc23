import type { BlockList } from 'node:net';
import { HOUR_MS } from '#kernel';
import {
  ConfigError,
  databaseUrlFromEnv,
  envInt,
  envOptional,
  envPort,
  isProductionProfile,
  refusedAddressesFromEnv,
  requireHttps,
  webhooksToLoopback,
} from '#platform';
import { providerConfigFromEnv, type ProviderPartsConfig } from '#psp-hosted';
import {
  type IdentityProviderConfig,
  identityProviderFromEnv,
} from './identity-provider-config.js';
import { type NoticeConfig, noticesFromEnv } from './notice-config.js';
import { CONSOLE_FILES } from './static/console-files.js';

/** The injection token of the console's `ConsoleOrigin`. */
export const CONSOLE_ORIGIN = Symbol('CONSOLE_ORIGIN');

/** The injection token of `AdminConfig.accountCoolingOffMs`. */
export const ACCOUNT_COOLING_OFF_MS = Symbol('ACCOUNT_COOLING_OFF_MS');

/** The injection token of the `SecondFactorPolicy`. */
export const SECOND_FACTOR = Symbol('SECOND_FACTOR');

/** The injection token of the `SecretBox` that encrypts the secrets of second factors. */
export const SECRET_BOX = Symbol('SECRET_BOX');

/** Whether users who may approve or administer must have a second factor. */
export interface SecondFactorPolicy {
  readonly isRequired: boolean;
}

/** The injection token of the `TraceUrl`. */
export const TRACE_URL = Symbol('TRACE_URL');

/** The address of a trace in the tracing UI, in which `{traceId}` stands for its id. */
export interface TraceUrl {
  readonly template: string | null;
}

/** The settings of the admin app. */
export interface AdminConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  readonly port: number;
  /** The origin of the console: changes are only accepted from its pages. */
  readonly origin: string;
  /**
   * Trusted proxies, comma-separated; the client's IP address is taken from what these proxies
   * forward. Null: no proxy.
   */
  readonly trustedProxies: string | null;
  /** Whether users who may approve or administer must have a second factor. */
  readonly requiresSecondFactor: boolean;
  /** The identity provider; null if users sign in with passwords only. */
  readonly identityProvider: IdentityProviderConfig | null;
  /** The settings for notices of cases; null if no notices are sent. */
  readonly notices: NoticeConfig | null;
  /**
   * Business time between the approval of a replacement provider account and its first use for new
   * orders. Null: a day in production, no delay in development.
   */
  readonly accountCoolingOffMs: number | null;
  /** Whether webhook endpoints at loopback addresses may be created: for development. */
  readonly webhooksToLoopback?: boolean;
  /** Public IP addresses to which the service sends no webhook. */
  readonly webhooksRefused?: BlockList;
  /** The maximum number of requests that each user may send per second. */
  readonly requestsPerSecond: number;
  /** The URL pattern of a trace; null if the console shows the ids of traces without links. */
  readonly traceUrl: string | null;
  /** The folder of the built console. */
  readonly consoleFiles: string;
}

const originOf = (text: string): string => {
  const { origin, protocol } = URL.parse(text) ?? {};
  const isHttp = protocol === 'https:' || protocol === 'http:';
  if (origin === text && isHttp) return requireHttps('ADMIN_ORIGIN', text);
  throw new ConfigError(`ADMIN_ORIGIN must be like https://console.example, not '${text}'`);
};

const traceUrl = (): string | null => {
  const text = envOptional('TRACE_URL');
  if (text === undefined) return null;
  const isHttp = /^https?:$/.test(URL.parse(text)?.protocol ?? '');
  if (isHttp && text.includes('{traceId}')) return text;
  throw new ConfigError(`TRACE_URL must be like https://traces.example/{traceId}, not '${text}'`);
};

/**
 * The setting ADMIN_SECOND_FACTOR: `required` or `optional`; default: required in production.
 * Throws `ConfigError`.
 */
export const requiresSecondFactor = (): boolean => {
  const text = envOptional('ADMIN_SECOND_FACTOR');
  if (text === undefined) return isProductionProfile();
  if (text === 'required' || text === 'optional') return text === 'required';
  throw new ConfigError(`ADMIN_SECOND_FACTOR must be required or optional, not '${text}'`);
};

const coolingOffMs = (): number | null => {
  if (envOptional('ACCOUNT_COOLING_OFF_HOURS') === undefined) return null;
  return envInt('ACCOUNT_COOLING_OFF_HOURS', 24, { min: 0, max: 720 }) * HOUR_MS;
};

/** Reads the settings from the environment. Throws a `ConfigError` that names a missing setting. */
export const adminConfig = (): AdminConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  const port = envPort('ADMIN_PORT', portBase + 9);
  return {
    databaseUrl: databaseUrlFromEnv(),
    port,
    origin: originOf(envOptional('ADMIN_ORIGIN') ?? `http://127.0.0.1:${port}`),
    trustedProxies: envOptional('ADMIN_TRUSTED_PROXIES') ?? null,
    requiresSecondFactor: requiresSecondFactor(),
    identityProvider: identityProviderFromEnv(),
    notices: noticesFromEnv(),
    accountCoolingOffMs: coolingOffMs(),
    requestsPerSecond: envInt('ADMIN_REQUESTS_PER_SECOND', 100, { min: 1 }),
    traceUrl: traceUrl(),
    webhooksToLoopback: webhooksToLoopback(),
    webhooksRefused: refusedAddressesFromEnv(),
    consoleFiles: CONSOLE_FILES,
    ...providerConfigFromEnv(portBase),
    // No partner keys are needed, because the admin app onboards no merchants.
    partnerKeys: { test: null, live: null },
  };
};
