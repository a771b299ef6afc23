import { createHash } from 'node:crypto';
import {
  ConfigError,
  databaseUrlFromEnv,
  envFlag,
  envInt,
  envOptional,
  envPort,
  envSecretOptional,
  envText,
  isLoopbackHttp,
  isProductionProfile,
  refuseKnownSecret,
} from '#platform';
import { isLoopback } from './loopback.js';

/** Injection token of the `SandboxConfig`. */
export const SANDBOX_CONFIG = Symbol('SANDBOX_CONFIG');

/** A platform that onboards merchants. The name stays the same when the platform's keys change. */
export interface PartnerConfig {
  readonly name: string;
  readonly testKey: string;
  readonly liveKey: string;
}

/** An http address of this machine that receives the webhooks of every account, in development. */
export interface ForwardConfig {
  readonly url: string;
  /** The hexadecimal key of the signatures; it is the same after a restart. */
  readonly secret: string;
}

/** The sandbox's settings. */
export interface SandboxConfig {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly tls: {
    readonly port: number;
    readonly certFile: string;
    readonly keyFile: string;
  } | null;
  /** Base URL at which browsers reach the API and the pages, without a trailing slash. */
  readonly publicUrl: string;
  readonly testKey: string;
  readonly liveKey: string;
  /** The name of the default account's merchant, as payers read it. */
  readonly merchantName: string;
  /** The partners that may use the onboarding API. */
  readonly partners: readonly PartnerConfig[];
  /**
   * The port that serves the onboarding API's status history; null when the main port serves it.
   */
  readonly managePort: number | null;
  /**
   * Enables the routes under /sandbox that move the clock and inject faults; these routes need no
   * API key.
   */
  readonly control: boolean;
  readonly webhookLoopback: boolean;
  /**
   * The additional URL to which the webhooks of every account are sent, in development; null: none.
   */
  readonly forward: ForwardConfig | null;
  /** File of additional PEM certificate authorities for webhook receivers. */
  readonly webhookCaFile: string | null;
  /**
   * The key that encrypts stored secrets, `<keyId>:<base64 of 32 bytes>`; null when
   * SANDBOX_SECRETS_KEY is not set.
   */
  readonly secretsKey: string | null;
}

const portBase = (): number => envInt('PORT_BASE', 4100, { min: 1024, max: 65_000 });

/** The partner's name when only its keys are configured. */
const PARTNER = 'platform';

const partnerOf = (text: string): PartnerConfig => {
  const [, name, testKey, liveKey] =
    /^([\w-]{1,64}):(spart_test_\w{16,}):(spart_live_\w{16,})$/.exec(text.trim()) ?? [];
  if (name === undefined || testKey === undefined || liveKey === undefined) {
    throw new ConfigError(
      'a partner has the keys spart_test_<…> and spart_live_<…>, each of 16 letters and digits or ' +
        'more: PARTNER_TEST_KEY and PARTNER_LIVE_KEY, or in SANDBOX_PARTNERS <name>:<test>:<live>',
    );
  }
  return { name, testKey, liveKey };
};

/** The development keys are public, so they are accepted on a loopback host only. */
const envKeys = (name: string, host: string, developmentKeys: string): string => {
  const key = envSecretOptional(name);
  if (key === undefined && !isLoopback(host)) {
    throw new ConfigError(`set ${name}: the development keys are accepted on a loopback HOST only`);
  }
  return refuseKnownSecret(name, key ?? developmentKeys);
};

/**
 * Several partners from SANDBOX_PARTNERS; without it, one partner with PARTNER_TEST_KEY and
 * PARTNER_LIVE_KEY.
 */
const partnersFromEnv = (host: string): readonly PartnerConfig[] => {
  const several = envSecretOptional('SANDBOX_PARTNERS');
  if (several !== undefined)
    return refuseKnownSecret('SANDBOX_PARTNERS', several).split(',').map(partnerOf);
  const testKey = envKeys('PARTNER_TEST_KEY', host, 'spart_test_sandboxdevelopmentkey01');
  const liveKey = envKeys('PARTNER_LIVE_KEY', host, 'spart_live_sandboxdevelopmentkey01');
  return [partnerOf(`${PARTNER}:${testKey}:${liveKey}`)];
};

const publicUrlFromEnv = (port: number): string => {
  const url = envText('SANDBOX_PUBLIC_URL', `http://127.0.0.1:${port}`).replace(/\/+$/, '');
  if (/^https?:\/\/./.test(url) && URL.canParse(url)) return url;
  throw new ConfigError(`SANDBOX_PUBLIC_URL must be an http or https URL, not '${url}'`);
};

const forwardFromEnv = (testKey: string): ForwardConfig | null => {
  const url = envOptional('SANDBOX_FORWARD_URL');
  if (url === undefined) return null;
  if (isProductionProfile()) {
    throw new ConfigError('SANDBOX_FORWARD_URL is for development only: unset it in production');
  }
  const parsed = URL.parse(url);
  if (parsed === null || !isLoopbackHttp(parsed)) {
    throw new ConfigError(
      `SANDBOX_FORWARD_URL must be an http URL of this machine, e.g. http://127.0.0.1:3000/hook, not '${url}'`,
    );
  }
  return { url, secret: createHash('sha256').update(`forward ${testKey}`).digest('hex') };
};

/** Reads the environment; throws `ConfigError` with the name of the invalid variable. */
export const sandboxConfigFromEnv = (): SandboxConfig => {
  const host = envText('HOST', '127.0.0.1');
  const port = envPort('SANDBOX_PORT', portBase() + 3);
  const certFile = envOptional('TLS_CERT_FILE');
  const testKey = envKeys('SANDBOX_TEST_KEY', host, 'stest_sandboxdevelopmentkey01');
  return {
    databaseUrl: databaseUrlFromEnv('SANDBOX_DATABASE_URL'),
    host,
    port,
    tls:
      certFile === undefined
        ? null
        : {
            port: envPort('SANDBOX_TLS_PORT', portBase() + 4),
            certFile,
            keyFile: envText('TLS_KEY_FILE'),
          },
    publicUrl: publicUrlFromEnv(port),
    testKey,
    liveKey: envKeys('SANDBOX_LIVE_KEY', host, 'sprod_sandboxdevelopmentkey01'),
    merchantName: envText('SANDBOX_MERCHANT_NAME', 'Sandbox merchant'),
    partners: partnersFromEnv(host),
    managePort:
      envOptional('SANDBOX_STATUS_HISTORY_PORT') === undefined
        ? null
        : envPort('SANDBOX_STATUS_HISTORY_PORT'),
    control: envFlag('SANDBOX_CONTROL', isLoopback(host)),
    webhookLoopback: envFlag('SANDBOX_WEBHOOK_LOOPBACK', false),
    forward: forwardFromEnv(testKey),
    webhookCaFile: envOptional('SANDBOX_WEBHOOK_CA') ?? null,
    secretsKey: envSecretOptional('SANDBOX_SECRETS_KEY') ?? null,
  };
};
