import type { SASLOptions } from 'kafkajs';

export interface RunningKafka {
  /** host:port */
  readonly brokers: string;
  readonly pid: number | undefined;
  /** Kills the broker with SIGKILL, as in a crash. */
  kill9(): Promise<void>;
  /**
   * Stops the broker if it runs, starts it on the same data and ports, and waits until it answers.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The role of a process in a cluster of several processes. */
export interface ClusterMember {
  readonly id: number;
  /** `id@host:controllerPort` of every controller, separated by commas. */
  readonly voters: string;
  readonly clusterId: string;
  readonly role: 'broker' | 'controller';
}

/** A random id for a new cluster. */
export function newClusterId(): string;

/**
 * Starts Apache Kafka as one process. A throwaway data folder is deleted when this process ends.
 */
export function startKafka(options: {
  readonly dir: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly logFile: string;
  readonly throwaway?: boolean;
  /** Settings of this broker, which are added to the usual ones or replace them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The user with which the readiness check signs in. */
  readonly sasl?: SASLOptions;
  /** The broker's role in a cluster. If missing, the broker is a single-broker cluster. */
  readonly member?: ClusterMember;
}): Promise<RunningKafka>;

/** Whether the brokers and their group coordinator respond. */
export function answersConsumers(brokers: string, sasl?: SASLOptions): Promise<boolean>;
