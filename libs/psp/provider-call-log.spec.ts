import { parseInstant } from '#kernel';
import { createLogger } from '#platform';
import { gate, waitFor } from '#testing';
import { type ObservedExchange, ProviderCallLog } from './provider-call-log.js';

const EXCHANGE: ObservedExchange = {
  method: 'GET',
  pathTemplate: '/x',
  objectId: null,
  reference: null,
  request: null,
  status: 200,
  answer: null,
  failure: null,
  durationMs: 1,
};

const CLOCK = { now: () => parseInstant('2026-03-01T12:00:00.000Z') };

test('the log of provider calls drops and counts entries while 2,000 entries are not written yet', async () => {
  const answered = gate();
  let rows = 0;
  const query = async ({ values }: { values: readonly [string] }): Promise<void> => {
    await answered.opened;
    rows += JSON.parse(values[0]).length;
  };
  const lines: string[] = [];
  const logger = createLogger('spec', {
    level: 'debug',
    destination: { write: (line: string) => lines.push(line) },
  });
  const log = new ProviderCallLog({ query } as never, logger, CLOCK);
  for (let call = 0; call < 10_000; call += 1) {
    log.note(EXCHANGE);
    // As between real calls, the entries so far are passed to the database.
    if (call % 1_000 === 0) await Promise.resolve();
  }
  answered.open();
  await log.flush();
  expect(rows).toBe(2_000);
  expect(lines.map((line) => JSON.parse(line).calls)).toEqual([8_000]);

  log.note(EXCHANGE);
  await log.flush();
  expect(rows).toBe(2_001);
});

test('the log of provider calls never delays a call, and drops entries that cannot be written', async () => {
  const answered = gate();
  let writes = 0;
  const query = async (): Promise<never> => {
    writes += 1;
    await answered.opened;
    throw new Error('away');
  };
  const away = new ProviderCallLog(
    { query } as never,
    createLogger('spec', { level: 'silent' }),
    CLOCK,
  );
  for (let call = 0; call < 5_000; call += 1) away.note(EXCHANGE);
  const flushed = away.flush();
  await waitFor(() => writes > 0);
  answered.open();
  await flushed;
});
