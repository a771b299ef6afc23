/** @type {typeof import('./environment.mjs').environmentOf} */
export const environmentOf = ({ ports, databases, brokers, secrets, tls }) => ({
  // Only development permits published keys, a movable clock and unencrypted connections.
  NODE_ENV: 'development',
  DATABASE_URL: databases.orchestrator,
  SANDBOX_DATABASE_URL: databases.sandbox,
  KAFKA_BROKERS: brokers,
  API_PORT: String(ports.api),
  API_TLS_PORT: String(ports.apiTls),
  WORKER_PORT: String(ports.worker),
  SANDBOX_PORT: String(ports.sandbox),
  SANDBOX_TLS_PORT: String(ports.sandboxTls),
  SHOP_PORT: String(ports.shop),
  ADMIN_PORT: String(ports.admin),
  SANDBOX_TEST_KEY: secrets.sandboxTestKey,
  SANDBOX_LIVE_KEY: secrets.sandboxLiveKey,
  PARTNER_TEST_KEY: secrets.partnerTestKey,
  PARTNER_LIVE_KEY: secrets.partnerLiveKey,
  // The name of the demo shop's merchant. The shop's payments are made on the sandbox's default
  // account.
  SANDBOX_MERCHANT_NAME: 'Maison Tilleul',
  SANDBOX_PUBLIC_URL: `http://127.0.0.1:${ports.sandbox}`,
  SANDBOX_WEBHOOK_CA: tls.caFile,
  SANDBOX_WEBHOOK_LOOPBACK: '1',
  WEBHOOKS_TO_LOOPBACK: '1',
  PROVIDER_URL: `http://127.0.0.1:${ports.sandbox}`,
  PUBLIC_WEBHOOK_URL: `https://127.0.0.1:${ports.apiTls}`,
  CLOCK_URL: `http://127.0.0.1:${ports.sandbox}/sandbox/clock`,
  SECRETS_KEY: secrets.secretsKey,
  SANDBOX_SECRETS_KEY: secrets.sandboxSecretsKey,
  TLS_CERT_FILE: tls.certFile,
  TLS_KEY_FILE: tls.keyFile,
  // The limit of reads is practically disabled. Otherwise reads that become due by an advance of
  // the clock would wait in real time.
  PROVIDER_READS_PER_MINUTE: '1000000',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'info',
});
