type Log = (fields: object, message: string) => void;

/** What the subscriber logs with; a pino logger is one. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
