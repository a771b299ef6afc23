import { setImmediate as turn } from 'node:timers/promises';
import { parseInstant } from '#kernel';
import { DueWork } from './due-work.js';

const at = parseInstant('2026-03-01T12:00:00Z');

test.each(['begin', 'finish'] as const)(
  '`%s` ends at a stop although work is due that another process has locked',
  async (method) => {
    const work = new DueWork();
    let begun = 0;
    work.add({
      name: 'locked',
      nextDue: () => turn(at),
      begin: async () => {
        begun += 1;
        if (begun === 3) work.stop();
      },
      settled: () => turn(),
    });
    await work[method](at);
    expect(begun).toBe(3);
  },
);
