import { type Harness, startHarness } from '../../testing/harness.js';
import { createCompany, smallCompany } from '../testing/company.js';
import { ask } from '../testing/partner.js';
import { advance } from '../testing/registration.js';
import type { HistoryRow } from './registration-wire.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const DAY_MS = 86_400_000;
const now = async (): Promise<number> =>
  Date.parse(String((await sandbox.call('GET', '/sandbox/clock')).body['now']));
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const lastSunday = (year: number, month: number): number => {
  const last = Date.UTC(year, month, 0);
  return last - new Date(last).getUTCDay() * DAY_MS;
};

/** At 22:30 UTC it is 23:30 in Paris in winter, and 00:30 of the next day in summer. */
const eveningsAtHalfPastTen = (year: number) => [
  { what: 'a day in January', day: Date.UTC(year, 0, 15), isNext: false },
  { what: 'the eve of summer time', day: lastSunday(year, 3) - DAY_MS, isNext: false },
  { what: 'the day summer time begins', day: lastSunday(year, 3), isNext: true },
  { what: 'a day in July', day: Date.UTC(year, 6, 15), isNext: true },
  { what: 'the eve of winter time', day: lastSunday(year, 10) - DAY_MS, isNext: true },
  { what: 'the day winter time begins', day: lastSunday(year, 10), isNext: false },
];

test('dates are days in Europe/Paris: 22:30 UTC is the next day in summer, the same day in winter', async () => {
  const year = new Date(await now()).getUTCFullYear() + 1;
  const seen: unknown[] = [];
  for (const { what, day } of eveningsAtHalfPastTen(year)) {
    const at = day + (22 * 60 + 30) * 60_000;
    await advance(sandbox, `PT${Math.ceil((at - (await now())) / 1_000)}S`);
    const { company } = await createCompany(sandbox, smallCompany());
    const window = async (from: number): Promise<readonly string[]> => {
      const query = `since=${dayOf(from)}&until=${dayOf(from + DAY_MS)}`;
      const { body } = await ask(sandbox, 'GET', `/company-status-history?${query}`);
      return (body as HistoryRow[])
        .filter(({ id }) => id === company.id)
        .map((row) => row['date-update']);
    };
    seen.push({ what, same: await window(day), next: await window(day + DAY_MS) });
  }
  expect(seen).toEqual(
    eveningsAtHalfPastTen(year).map(({ what, day, isNext }) => ({
      what,
      same: isNext ? [] : [dayOf(day)],
      next: isNext ? [dayOf(day + DAY_MS)] : [],
    })),
  );
});
