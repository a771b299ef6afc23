import { type Logger } from './logger.js';

const GRACE_MS = 10_000;

/**
 * Shuts the process down on SIGTERM and SIGINT. `close` must end within 10 s. Returns a function
 * that removes the handlers.
 */
export const endInOrder = (logger: Logger, close: () => Promise<void>): (() => void) => {
  let ending = false;
  const end = (reason: string): void => {
    if (ending) return;
    ending = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.error({ graceMs: GRACE_MS }, 'the process did not stop in time and was ended');
      process.exit(1);
    }, GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  const onTerm = (): void => end('SIGTERM');
  const onInt = (): void => end('SIGINT');
  process.on('SIGTERM', onTerm);
  process.on('SIGINT', onInt);
  return () => {
    process.off('SIGTERM', onTerm).off('SIGINT', onInt);
  };
};
