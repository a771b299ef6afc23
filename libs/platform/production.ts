import { ConfigError, envFlag, envOptional, envSecret } from './config.js';

/**
 * The kinds of connections that may be used without TLS if ALLOW_PLAINTEXT names them, e.g. within
 * one machine or a service mesh.
 */
const WIRES = ['kafka', 'postgres'] as const;
type Wire = (typeof WIRES)[number];

/**
 * Passwords that are publicly known: from examples, from development, and the defaults of
 * installations.
 */
const KNOWN_PASSWORDS = new Set([
  '',
  'admin',
  'changeme',
  'development',
  'kafka',
  'password',
  'postgres',
  'secret',
]);
/** A part of each default key of the sandbox; these keys are printed in the documentation. */
const DEVELOPMENT_KEY = 'sandboxdevelopmentkey';

/** Whether NODE_ENV is production: then settings for development are refused at the start. */
export const isProductionProfile = (): boolean => envOptional('NODE_ENV') === 'production';

const mayBePlain = (wire: Wire): boolean => {
  const named = (envOptional('ALLOW_PLAINTEXT') ?? '').split(',').map((name) => name.trim());
  const unknown = named.find((name) => name !== '' && !WIRES.some((known) => known === name));
  if (unknown !== undefined) {
    throw new ConfigError(`ALLOW_PLAINTEXT must name ${WIRES.join(' or ')}, not '${unknown}'`);
  }
  return named.includes(wire);
};

/** In production, throws `ConfigError` for an origin without TLS. */
export const requireHttps = (name: string, url: string): string => {
  if (!isProductionProfile() || url.startsWith('https://')) return url;
  throw new ConfigError(`${name} must begin with https:// in production, not '${url}'`);
};

/**
 * In production, throws `ConfigError` for a connection without TLS, unless ALLOW_PLAINTEXT names
 * its kind.
 */
export const requireTls = (wire: Wire, isTls: boolean, howTo: string): void => {
  if (!isProductionProfile() || isTls || mayBePlain(wire)) return;
  throw new ConfigError(`${howTo} in production, or name ${wire} in ALLOW_PLAINTEXT`);
};

/** In production, throws `ConfigError` for a publicly known secret. */
export const refuseKnownSecret = (name: string, secret: string): string => {
  const isKnown = KNOWN_PASSWORDS.has(secret.toLowerCase()) || secret.includes(DEVELOPMENT_KEY);
  if (!isProductionProfile() || !isKnown) return secret;
  throw new ConfigError(`${name} is publicly known: choose a different value in production`);
};

/** The URL of the movable clock; undefined: real time. @throws ConfigError in production */
export const clockUrlFromEnv = (): string | undefined => {
  const url = envOptional('CLOCK_URL');
  if (url === undefined || !isProductionProfile()) return url;
  throw new ConfigError('CLOCK_URL is for development only: unset it in production');
};

/**
 * Whether platforms may register webhook endpoints at loopback addresses, also with `http:` URLs.
 * Throws `ConfigError` in production.
 */
export const webhooksToLoopback = (): boolean => {
  const isAllowed = envFlag('WEBHOOKS_TO_LOOPBACK');
  if (!isAllowed || !isProductionProfile()) return isAllowed;
  throw new ConfigError('WEBHOOKS_TO_LOOPBACK is for development only: unset it in production');
};

/**
 * The database URL from the environment. Throws `ConfigError`; in production also for a connection
 * without TLS and for a publicly known password.
 */
export const databaseUrlFromEnv = (name = 'DATABASE_URL'): string => {
  const text = envSecret(name);
  const url = URL.parse(text);
  if (url === null)
    throw new ConfigError(`${name} must be like postgres://user:password@host/database`);
  requireTls(
    'postgres',
    url.searchParams.get('sslmode') === 'verify-full',
    `${name} must end in ?sslmode=verify-full`,
  );
  refuseKnownSecret(`the password in ${name}`, decodeURIComponent(url.password));
  if (isProductionProfile() && url.password === url.username) {
    throw new ConfigError(
      `the password in ${name} is the user's name: choose a different password`,
    );
  }
  return text;
};
