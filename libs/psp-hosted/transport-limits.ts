import { MAX_DOCUMENT_TRANSFERS } from '#psp';

/** Network limits, wall time in milliseconds, sizes in bytes. */
export interface TransportLimits {
  readonly connectTimeoutMs: number;
  /**
   * The limit for the wait from the request to the headers of the response, and for each pause
   * within the response's body.
   */
  readonly answerTimeoutMs: number;
  /** The limit for one request and its response, including the wait for a free connection. */
  readonly exchangeTimeoutMs: number;
  /** The limit for an upload, whose duration depends on the sender of the file. */
  readonly uploadTimeoutMs: number;
  /**
   * The limit for a read including its repetitions: no repetition starts or runs after this limit.
   */
  readonly readTimeoutMs: number;
  readonly readRepeats: number;
  readonly maxAnswerBytes: number;
  readonly connections: number;
  /**
   * The number of additional connections for files. Such a connection is in use until the file's
   * sender or receiver has finished.
   */
  readonly fileConnections: number;
  /** The number of consecutive failures after which the circuit breaker opens. */
  readonly breakerFailures: number;
  /**
   * The time after which an open circuit breaker lets one request through. Each time that request
   * fails, the time doubles, up to 16 times this value.
   */
  readonly breakerRetryMs: number;
}

export const DEFAULT_LIMITS: TransportLimits = {
  connectTimeoutMs: 3_000,
  answerTimeoutMs: 10_000,
  exchangeTimeoutMs: 12_000,
  uploadTimeoutMs: 120_000,
  readTimeoutMs: 20_000,
  readRepeats: 2,
  maxAnswerBytes: 1_048_576,
  connections: 128,
  fileConnections: MAX_DOCUMENT_TRANSFERS,
  breakerFailures: 8,
  breakerRetryMs: 1_000,
};
