import { parseInstant } from '#kernel';
import { createLogger } from '#platform';
import { gate } from '#testing';
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
  const clock = { now: () => parseInstant('2026-03-01T12:00:00.000Z') };
  const log = new ProviderCallLog({ query } as never, logger, clock);
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
