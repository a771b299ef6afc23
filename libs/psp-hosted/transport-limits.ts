import { MAX_DOCUMENT_TRANSFERS } from '#psp';

/** Network limits, wall time in milliseconds, sizes in bytes. */
export interface TransportLimits {
  readonly connectTimeoutMs: number;
  /**
   * The limit from the request until the response's headers, and of the longest pause inside its
   * body.
   */
  readonly answerTimeoutMs: number;
  /** The limit of one exchange as a whole, including the wait for a free connection. */
  readonly exchangeTimeoutMs: number;
  /** The limit of one exchange for an upload, whose speed depends on its sender. */
  readonly uploadTimeoutMs: number;
  /** The limit of a read with its repetitions: none starts later or runs past it. */
  readonly readTimeoutMs: number;
  readonly readRepeats: number;
  readonly maxAnswerBytes: number;
  readonly connections: number;
  /**
   * The number of further connections for files, which take as long as their sender or receiver.
   */
  readonly fileConnections: number;
  /** The number of consecutive failures after which the circuit opens. */
  readonly breakerFailures: number;
  /**
   * The time after which an open circuit tries one request; it doubles up to 16 times this long
   * while the trial fails.
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
