import { envFlag, envInt, envOptional, envPort, envText } from '#platform';

/** Injection token of the `SandboxConfig`. */
export const SANDBOX_CONFIG = Symbol('SANDBOX_CONFIG');

/** What the sandbox is told from outside. */
export interface SandboxConfig {
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly tls: {
    readonly port: number;
    readonly certFile: string;
    readonly keyFile: string;
  } | null;
  /** Base address of the API and the page as a browser reaches it, without a trailing slash. */
  readonly publicUrl: string;
  readonly testKey: string;
  readonly liveKey: string;
  /** Routes under /sandbox that move the clock and inject faults; they need no key. */
  readonly control: boolean;
  readonly webhookLoopback: boolean;
  /** File of PEM certificates that webhook receivers may be signed by, besides the system's. */
  readonly webhookCaFile: string | null;
  /** `<keyId>:<base64 of 32 bytes>`; without it a key made at the first start is used. */
  readonly secretsKey: string | null;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

const portBase = (): number => envInt('PORT_BASE', 4100, { min: 1024, max: 65_000 });

/** Reads the environment; throws `ConfigError` with the name that is wrong. */
export const sandboxConfigFromEnv = (): SandboxConfig => {
  const host = envText('HOST', '127.0.0.1');
  const port = envPort('SANDBOX_PORT', portBase() + 3);
  const certFile = envOptional('TLS_CERT_FILE');
  return {
    databaseUrl: envText('SANDBOX_DATABASE_URL'),
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
    publicUrl: envText('SANDBOX_PUBLIC_URL', `http://127.0.0.1:${port}`).replace(/\/+$/, ''),
    testKey: envText('SANDBOX_TEST_KEY', 'stest_sandboxdevelopmentkey01'),
    liveKey: envText('SANDBOX_LIVE_KEY', 'sprod_sandboxdevelopmentkey01'),
    control: envFlag('SANDBOX_CONTROL', isLoopback(host)),
    webhookLoopback: envFlag('SANDBOX_WEBHOOK_LOOPBACK', false),
    webhookCaFile: envOptional('SANDBOX_WEBHOOK_CA') ?? null,
    secretsKey: envOptional('SECRETS_KEY') ?? null,
  };
};
