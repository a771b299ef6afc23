import { Rejection } from '#kernel';
import { ConfigError } from '#platform';
import { isProviderError } from '#psp';

const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']);

interface Coded {
  readonly code?: string;
  /** Of what listens nowhere. */
  readonly address?: string;
  readonly port?: number;
}

/** One error of a name with several addresses stands for all of them. */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError ? firstOf(error.errors[0]) : error;

/** What a person can put right, in one sentence; null: it is a bug. */
const sentenceOf = (error: Error): string | null => {
  const { code = '', address, port } = error as Coded;
  if (error instanceof Rejection || error instanceof ConfigError || isProviderError(error)) {
    return error.message;
  }
  if (code.startsWith('ERR_PARSE_ARGS_')) return error.message;
  if (!NOBODY_THERE.has(code)) return null;
  const place = port === undefined ? error.message : `${address}:${port} does not answer`;
  return `${place} (${code}): check DATABASE_URL and KAFKA_BROKERS`;
};

/** A command has failed: tells why on stderr, of a bug with its stack, and the exit code will be 1. */
export const tellFailure = (caught: unknown): void => {
  const error = firstOf(caught);
  const text = error instanceof Error ? (sentenceOf(error) ?? error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};
