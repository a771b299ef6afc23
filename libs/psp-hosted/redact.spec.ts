import fc from 'fast-check';
import { redact } from './redact.js';

/** Personal data that no log may contain, in formats that people and providers use. */
const CANARIES = [
  '4242424242424242',
  '4242 4242 4242 4242',
  'DE89370400440532013000',
  'FR76 3000 6000 0112 3456 7890 189',
  '4242\u00a04242\u20094242  4242',
  'FR76\u00a03000\u20096000_0112/3456 7890 189',
  'jane.doe@example.com',
  'stest_canarykey0123456789',
  'spart_live_canarykey0123456789',
  'Basic c3Rlc3RfY2FuYXJ5',
  '+33612345678',
];

const shown = (value: unknown): string => JSON.stringify(redact(value));

test('redacting a body keeps the provider’s amounts and statuses', () => {
  const intent = {
    id: 'pi_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    status: 'authorized',
    amount: 1_250,
    currency: 'eur',
    order_id: 'pay_3xKq0Zb7Yw2m4c9NfTgV1hJa',
    created_at: 1_800_000_000,
    capture: false,
  };
  expect(redact(intent)).toEqual(intent);
});

test('redacting a body removes all fields that are not declared harmless', () => {
  const answer = { customer: { name: 'Jane Doe', born: 19_800_101 }, iban: 'x', secret: 'ab12' };
  expect(redact(answer)).toEqual({
    customer: { name: '[redacted]', born: '[redacted]' },
    iban: '[redacted]',
    secret: '[redacted]',
  });
});

test('redacting a company removes the dates of birth of its user and its owners', () => {
  const birth = { date: '1984-05-17' };
  expect(redact({ user: { birth }, owners: [{ person: { birth } }] })).toEqual({
    user: { birth: { date: '[redacted]' } },
    owners: [{ person: { birth: { date: '[redacted]' } } }],
  });
});

test.each(CANARIES)('redacting a body removes %s within any other text', (canary) => {
  const text = fc
    .tuple(fc.constantFrom('', ' ', 'error: ', '('), fc.constantFrom('', '.', ') no'))
    .map(([before, after]) => `${before}${canary}${after}`);
  const field = fc.constantFrom('message', 'error', 'id', 'detail', 'name', 'iban');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(field, text), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (one) => {
      const kept = shown(one);
      return !kept.includes(canary) && !kept.includes(canary.slice(0, -2));
    }),
    { numRuns: 300 },
  );
});

test('redacting a body cuts long texts', () => {
  const many = {
    payments: Array.from({ length: 100 }, (_, id) => ({ id })),
    error: 'x'.repeat(9_000),
  };
  expect(shown(many).length).toBeLessThan(1_500);
});
