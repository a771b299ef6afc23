import fc from 'fast-check';
import type { AccountCommand } from '#account';
import type { Instant } from '#kernel';

const at = fc.constantFrom(
  '2026-03-02T06:05:00.000Z' as Instant,
  '2026-03-03T06:05:00.000Z' as Instant,
);

export const registerAccount: fc.Arbitrary<AccountCommand> = fc.record({
  type: fc.constant('RegisterAccount' as const),
  platformId: fc.constant('shop'),
  merchantId: fc.constant('m1'),
  mode: fc.constantFrom('test' as const, 'live' as const),
  isFirst: fc.boolean(),
  notBefore: fc.option(at, { nil: null }),
  at,
});

/** Random commands of operators on a provider account and its keys. */
export const accountCommand: fc.Arbitrary<AccountCommand> = fc.oneof(
  fc.record({
    type: fc.constant('ApproveAccount' as const),
    coolingOffMs: fc.constantFrom(0, 86_400_000),
    at,
  }),
  fc.record({
    type: fc.constant('RotateKey' as const),
    provenBy: fc.constantFrom('webhook_endpoint' as const, 'payment_intent' as const),
    objectId: fc.constant('we_1'),
    at,
  }),
  fc.record({ type: fc.constantFrom('WithdrawAccount' as const, 'DisableAccount' as const), at }),
);
