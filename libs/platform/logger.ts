import { type LoggerService } from '@nestjs/common';
import { type DestinationStream, pino } from 'pino';
import { envFlag, envText } from './config.js';
import { maskLine } from './masking.js';
import { activeTraceId } from './tracing.js';

/** The logging interface of all code: pino's, including child loggers. */
export type Logger = pino.Logger;

/** Injection token of the app's `Logger`. */
export const LOGGER = Symbol('LOGGER');

interface LoggerOptions {
  /** `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; default: LOG_LEVEL or info. */
  readonly level?: string;
  /** Readable lines instead of JSON; default: LOG_PRETTY. */
  readonly pretty?: boolean;
  /** The destination of log lines; default: standard output. */
  readonly destination?: DestinationStream;
}

const LEVEL_NAMES: Readonly<Record<number, string>> = pino.levels.labels;

/** Formats a log line as `12:00:00.000 INFO api message {"other":"fields"}`. */
const prettyLine = (line: string): string => {
  const { time, level, app, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const label = (LEVEL_NAMES[Number(level)] ?? '').toUpperCase().padEnd(5);
  const fields = Object.keys(rest).length === 0 ? '' : `  ${JSON.stringify(rest)}`;
  return `${String(time).slice(11, 23)} ${label} ${String(app)}  ${String(msg ?? '')}${fields}\n`;
};

/**
 * Logs only these fields of an error, because other fields of a database error contain the rejected
 * row.
 */
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

/** The trace in which a line is logged, if this process exports traces. */
const traceFields = (): object => {
  const traceId = activeTraceId();
  return traceId === undefined ? {} : { traceId };
};

/**
 * Creates a logger that writes JSON lines with the app's name and an ISO time. Secrets,
 * authorizations, cookies and possible card numbers are masked in the finished line, so that
 * masking does not depend on the code that logs.
 */
export const createLogger = (appName: string, options: LoggerOptions = {}): Logger => {
  const pretty = options.pretty ?? envFlag('LOG_PRETTY');
  return pino(
    {
      level: options.level ?? envText('LOG_LEVEL', 'info'),
      base: { app: appName },
      mixin: traceFields,
      // The time is written in ISO format, because milliseconds since 1970 have 13 digits and would
      // sometimes be masked as a card number.
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError, error: serializeError },
      hooks: {
        streamWrite: (line) => (pretty ? prettyLine(maskLine(line)) : maskLine(line)),
      },
    },
    options.destination ?? new BackgroundOutput(1),
  );
};

/** The maximum total length, in characters, of the lines that wait to be written. */
const MAX_WAITING_CHARS = 8_000_000;
/**
 * Lines are written together, at most this time after the first of them, because a write takes
 * twice as much CPU time as making a line.
 */
const GROUP_MS = 50;
const MAX_GROUP_CHARS = 65_536;

/** The outputs that are flushed when the process exits. */
const openOutputs = new Set<BackgroundOutput>();
process.on('exit', () => openOutputs.forEach((output) => output.flushSync()));

/**
 * A file that is written in the background, so that a request does not wait for its log line.
 * Waiting lines are written when the process exits; if it is killed or aborts, for example because
 * it is out of memory, the lines of the last 50 ms are lost. While the output is blocked, lines are
 * dropped once the waiting lines have reached their maximum length.
 */
export class BackgroundOutput implements DestinationStream {
  readonly file: ReturnType<typeof pino.destination>;
  private group = '';
  private timer: NodeJS.Timeout | null = null;

  constructor(fd: number) {
    this.file = pino.destination({ fd, sync: false, maxLength: MAX_WAITING_CHARS });
    openOutputs.add(this);
    this.file.on('close', () => openOutputs.delete(this));
  }

  write(line: string): void {
    this.group += line;
    if (this.group.length >= MAX_GROUP_CHARS) this.writeGroup();
    else this.timer ??= setTimeout(() => this.writeGroup(), GROUP_MS);
  }

  /** Hands all waiting lines to the file, which is written before the process exits. */
  flushSync(): void {
    this.writeGroup();
    this.file.flushSync();
  }

  /** Closes the file when the waiting lines are written. */
  end(): void {
    this.writeGroup();
    this.file.end();
  }

  private writeGroup(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const { group } = this;
    this.group = '';
    if (group !== '') this.file.write(group);
  }
}

/** Forwards Nest's own messages to our logger. */
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
    // Nest logs every module and route when an app starts, so its messages have the level debug.
    log: at('debug'),
    error: at('error'),
    warn: at('warn'),
    debug: at('trace'),
    verbose: at('trace'),
    fatal: at('fatal'),
  };
};
