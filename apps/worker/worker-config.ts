import { envInt, envPort, envText } from '#platform';
import { providerConfigFromEnv, type ProviderPartsConfig } from '#provider';

/** What a worker needs from its environment; Kafka's settings are read by `#messaging`. */
export interface WorkerConfig extends ProviderPartsConfig {
  readonly databaseUrl: string;
  readonly port: number;
}

/** Throws `ConfigError` that names what is missing. */
export const workerConfig = (): WorkerConfig => {
  const portBase = envInt('PORT_BASE', 4_100, { min: 1, max: 65_000 });
  return {
    databaseUrl: envText('DATABASE_URL'),
    port: envPort('WORKER_PORT', portBase + 2),
    ...providerConfigFromEnv(portBase),
  };
};
