import { Rejection } from '#kernel';
import { ConfigError } from '#platform';
import { isProviderError } from '#psp';

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);

interface Coded {
  readonly code?: string;
  /** The IP address that refused the connection. */
  readonly address?: string;
  readonly port?: number;
}

/**
 * Returns the first error: a host name with several IP addresses causes one error for each address.
 */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError ? firstOf(error.errors[0]) : error;

/**
 * The error as one sentence if it is an operating error, such as an unreachable server; null if the
 * error is a bug.
 */
const sentenceOf = (error: Error): string | null => {
  const { code = '', address, port } = error as Coded;
  if (error instanceof Rejection || error instanceof ConfigError || isProviderError(error)) {
    return error.message;
  }
  if (code.startsWith('ERR_PARSE_ARGS_')) return error.message;
  if (!UNREACHABLE.has(code)) return null;
  const place = port === undefined ? error.message : `${address}:${port} does not respond`;
  return `${place} (${code}): check DATABASE_URL and KAFKA_BROKERS`;
};

/** Prints why a command failed, with the stack for a bug, and sets the exit code 1. */
export const reportFailure = (caught: unknown): void => {
  const error = firstOf(caught);
  const text = error instanceof Error ? (sentenceOf(error) ?? error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};
