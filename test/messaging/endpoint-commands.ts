import fc from 'fast-check';
import { parseInstant } from '#kernel';
import type { EndpointCommand } from '#webhook';

const at = parseInstant('2026-03-02T06:00:00Z');

const terms = fc.record({
  host: fc.constantFrom('hooks.example', 'hooks.example:8443'),
  eventTypes: fc.subarray(['Order*', 'PaymentCaptured', '*'], { minLength: 1 }),
  merchantId: fc.option(fc.constant('m1')),
  detailsRef: fc.constantFrom('whd_1', 'whd_2'),
});

export const createEndpoint: fc.Arbitrary<EndpointCommand> = terms.map((chosen) => ({
  type: 'CreateEndpoint',
  platformId: 'shop',
  ...chosen,
  at,
}));

export const endpointCommand: fc.Arbitrary<EndpointCommand> = fc.oneof(
  {
    arbitrary: terms.map((chosen) => ({ type: 'ChangeEndpoint' as const, ...chosen, at })),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom<EndpointCommand>(
      { type: 'RotateSecret', detailsRef: 'whd_3', revokesFormer: false, at },
      { type: 'TestEndpoint', at },
      { type: 'DisableEndpoint', reason: 'requested', at },
      { type: 'DisableEndpoint', reason: 'operator', at },
      { type: 'DisableEndpoint', reason: 'failing', at },
      { type: 'DisableEndpoint', reason: 'unsubscribed', at },
      { type: 'EnableEndpoint', at },
      { type: 'DeleteEndpoint', at },
    ),
    weight: 8,
  },
);
