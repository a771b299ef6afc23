import type { SASLOptions } from 'kafkajs';

export interface RunningKafka {
  /** host:port */
  readonly brokers: string;
  /** Ends it as a crash would (SIGKILL). */
  kill9(): Promise<void>;
  /** Ends it if it runs, starts it on the same data and ports, and waits until it answers. */
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
  /** Besides, or in place of, those that every broker of ours has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** As whom to ask whether it is up. */
  readonly sasl?: SASLOptions;
}): Promise<RunningKafka>;

/** Whether the brokers answer, the group coordinator included. */
export function answersConsumers(brokers: string, sasl?: SASLOptions): Promise<boolean>;
