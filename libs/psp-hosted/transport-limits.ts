import { MAX_DOCUMENT_TRANSFERS } from '#psp';

/** Network limits, wall time in milliseconds, sizes in bytes. */
export interface TransportLimits {
  readonly connectTimeoutMs: number;
  /** From the request until the answer's headers, and the longest pause inside its body. */
  readonly answerTimeoutMs: number;
  /** One exchange as a whole, waiting for a free connection included. */
  readonly exchangeTimeoutMs: number;
  /** The same for an upload, whose pace is its sender's. */
  readonly uploadTimeoutMs: number;
  /** A read with its repeats: no repeat starts later, and none runs past it. */
  readonly readTimeoutMs: number;
  readonly readRepeats: number;
  readonly maxAnswerBytes: number;
  readonly connections: number;
  /** Besides those, for files: they last as long as their sender or receiver takes. */
  readonly fileConnections: number;
  /** The circuit opens after this many failures in a row… */
  readonly breakerFailures: number;
  /** …and tries one call after this long, doubling up to 16 times as long while that fails. */
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
