import { Rejection } from '#kernel';
import { ConfigError } from '#platform';
import { isProviderError } from '#psp';

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);

interface Coded {
  readonly code?: string;
  /** The IP address to which the connection failed. */
  readonly address?: string;
  readonly port?: number;
}

/**
 * The first of several errors. A host name with several IP addresses causes one error for each of
 * them.
 */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError ? firstOf(error.errors[0]) : error;

/**
 * Describes an operating error, such as an unreachable server, in one sentence. Returns null for a
 * bug.
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
