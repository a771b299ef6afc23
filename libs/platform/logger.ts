import { type LoggerService } from '@nestjs/common';
import { type DestinationStream, pino } from 'pino';
import { envFlag, envText } from './config.js';
import { maskLine } from './masking.js';

/** What the code logs with: pino's interface, child loggers included. */
export type Logger = pino.Logger;

/** Injection token of the app's `Logger`. */
export const LOGGER = Symbol('LOGGER');

interface LoggerOptions {
  /** `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; default: LOG_LEVEL or info. */
  readonly level?: string;
  /** Lines for people instead of JSON; default: LOG_PRETTY. */
  readonly pretty?: boolean;
  /** Where lines go; default: standard output. */
  readonly destination?: DestinationStream;
}

const LEVEL_NAMES: Readonly<Record<number, string>> = pino.levels.labels;

/** `12:00:00.000 INFO  api  message  {"other":"fields"}`. */
const prettyLine = (line: string): string => {
  const { time, level, app, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const label = (LEVEL_NAMES[Number(level)] ?? '').toUpperCase().padEnd(5);
  const fields = Object.keys(rest).length === 0 ? '' : `  ${JSON.stringify(rest)}`;
  return `${String(time).slice(11, 23)} ${label} ${String(app)}  ${String(msg ?? '')}${fields}\n`;
};

/** Only these: a database error's own fields repeat the row that it refused. */
const serializeError = (error: unknown): object =>
  error instanceof Error
    ? {
        type: error.name,
        message: error.message,
        stack: error.stack,
        ...('code' in error ? { code: error.code } : {}),
        ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
      }
    : { message: String(error) };

/**
 * JSON lines with the app's name and an ISO time. Secrets, authorizations, cookies and card-like
 * numbers are masked in the finished line, so no call site can forget to.
 */
export const createLogger = (appName: string, options: LoggerOptions = {}): Logger => {
  const pretty = options.pretty ?? envFlag('LOG_PRETTY');
  return pino(
    {
      level: options.level ?? envText('LOG_LEVEL', 'info'),
      base: { app: appName },
      // An epoch in milliseconds has 13 digits, and would be masked now and then.
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError, error: serializeError },
      hooks: {
        streamWrite: (line) => (pretty ? prettyLine(maskLine(line)) : maskLine(line)),
      },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
};

/** Lets Nest's own messages go through our logger. */
export const nestLogger = (logger: Logger): LoggerService => {
  const at =
    (level: 'info' | 'error' | 'warn' | 'debug' | 'trace' | 'fatal') =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.at(-1);
      const fields = typeof context === 'string' ? { context } : {};
      if (message instanceof Error) logger[level]({ ...fields, err: message }, message.message);
      else if (typeof message === 'string') logger[level](fields, message);
      else logger[level]({ ...fields, details: message }, 'framework message');
    };
  return {
    // Nest logs every module and route at start: useful only for debugging that.
    log: at('debug'),
    error: at('error'),
    warn: at('warn'),
    debug: at('trace'),
    verbose: at('trace'),
    fatal: at('fatal'),
  };
};
