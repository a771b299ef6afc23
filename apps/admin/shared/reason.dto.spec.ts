import { holdsNoneOfAPerson } from './reason.dto.js';

test.each([
  ['an email address', 'ask a@example.org'],
  ['an email address after another @', 'from @ann: a.payer@pay.example.org'],
  ['an IBAN', 'refund to FR76 3000 6000 0112 3456 7890 189'],
  ['an API key', 'sprod_abcdefgh was rejected'],
])('a reason with %s is rejected', (_, reason) => {
  expect(holdsNoneOfAPerson(reason)).toBe(false);
});

test.each(['refund on time @ Paris', 'a@b.c', 'the provider confirmed it by telephone'])(
  'the reason “%s” is accepted',
  (reason) => {
    expect(holdsNoneOfAPerson(reason)).toBe(true);
  },
);

test.each(['a', 'a@', 'a.', 'A1', 'sprod_'])('a long text of “%s” is checked fast', (part) => {
  const beganAt = process.cpuUsage();
  expect(holdsNoneOfAPerson(part.repeat(60_000 / part.length))).toBe(part !== 'sprod_');
  expect(process.cpuUsage(beganAt).user).toBeLessThan(1_000_000);
});
