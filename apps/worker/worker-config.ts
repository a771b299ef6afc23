import { envInt, envPort, envText } from '#platform';

/** What a worker needs from its environment; Kafka's settings are read by `#messaging`. */
export interface WorkerConfig {
  readonly databaseUrl: string;
  readonly port: number;
  readonly providerUrl: string;
  readonly publicWebhookUrl: string;
  readonly secretsKey: string;
}

/** Throws `ConfigError` that names what is missing. */
export const workerConfig = (): WorkerConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  return {
    databaseUrl: envText('DATABASE_URL'),
    port: envPort('WORKER_PORT', portBase + 2),
    providerUrl: envText('PROVIDER_URL', `http://127.0.0.1:${portBase + 3}`),
    publicWebhookUrl: envText('PUBLIC_WEBHOOK_URL', `https://127.0.0.1:${portBase + 1}`),
    secretsKey: envText('SECRETS_KEY'),
  };
};
