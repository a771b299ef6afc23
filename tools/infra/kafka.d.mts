import type { SASLOptions } from 'kafkajs';

export interface RunningKafka {
  /** host:port */
  readonly brokers: string;
  /** Ends it as a crash would (SIGKILL). */
  kill9(): Promise<void>;
  /** Stops it if it runs, starts it on the same data and ports, and waits until it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Apache Kafka as one process. A throwaway folder is deleted when this process ends. */
export function startKafka(options: {
  readonly dir: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly logFile: string;
  readonly throwaway?: boolean;
  /** Added to the settings of every broker here; the same name replaces one. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The user of the readiness check. */
  readonly sasl?: SASLOptions;
}): Promise<RunningKafka>;

/** Whether the brokers answer, the group coordinator included. */
export function answersConsumers(brokers: string, sasl?: SASLOptions): Promise<boolean>;
