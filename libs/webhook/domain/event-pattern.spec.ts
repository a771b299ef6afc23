import { isPatternOf, matchesPattern } from './event-pattern.js';

const TYPES = ['OrderPaid', 'OrderExpired', 'PaymentCaptured'];

test.each([
  ['OrderPaid', 'OrderPaid', true],
  ['OrderPaid', 'Order*', true],
  ['OrderPaid', '*', true],
  ['OrderPaid', 'Order', false],
  ['OrderPaid', 'Payment*', false],
])('whether the event type %s matches the pattern %s is %s', (type, pattern, expected) => {
  expect(matchesPattern(type, pattern)).toBe(expected);
});

test.each(['OrderPaid', 'Order*', 'O*', '*'])(
  '%s is accepted as a pattern of event types',
  (text) => {
    expect(isPatternOf(TYPES, text)).toBe(true);
  },
);

test.each(['', 'Order', 'Refund*', '*Paid', 'Order**', 'order*', 'Order*Paid'])(
  '"%s" is rejected as a pattern, because no event type matches it or because it is malformed',
  (text) => {
    expect(isPatternOf(TYPES, text)).toBe(false);
  },
);
