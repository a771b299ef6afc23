type Log = (fields: object, message: string) => void;

/** The logger of the subscriber; a pino logger has this interface. */
export interface Logger {
  readonly debug: Log;
  readonly info: Log;
  readonly warn: Log;
  readonly error: Log;
}
