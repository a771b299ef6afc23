import type { Logger } from 'payment-orchestrator-subscriber';

const plain = (value: unknown): unknown =>
  value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;

const write =
  (level: string) =>
  (fields: object, message: string): void => {
    const values = Object.entries(fields).map(([name, value]) => [name, plain(value)]);
    const line = { level, time: new Date().toISOString(), ...Object.fromEntries(values), message };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };

/** Logs each entry as a line of JSON; a pino logger can be used instead. */
export const logger: Logger = {
  debug: () => undefined,
  info: write('info'),
  warn: write('warn'),
  error: write('error'),
};
