import { DAY_MS, plusMs } from '#kernel';
import { scenario } from '#testing';
import type { Observation, ObservedAttempt } from './observation.js';
import type { PaymentCommand } from './payment-command.js';
import { paymentDecider } from './payment-decider.js';
import type { MethodDetails, PaymentEvent } from './payment-event.js';
import { attempt, captured, observationOf, start } from './read-order.fixture.js';

const given = scenario(paymentDecider);
const at = start;
const [requested, created] = captured as [PaymentEvent, PaymentEvent];

const observe = (observation: Observation): PaymentCommand => ({
  type: 'ObservePayment',
  paymentId: 'pay_1',
  observation,
  at,
});

const card: MethodDetails = {
  method: 'card',
  brand: 'visa',
  last4: '0012',
  country: 'FR',
  authentication: 'succeeded',
};
const showing = (one: ObservedAttempt, methodDetails: MethodDetails): ObservedAttempt => ({
  ...one,
  methodDetails,
});

test('an authorization and each refused attempt record the details of their own card', () => {
  const declined: MethodDetails = { ...card, last4: '0044', authentication: 'declined' };
  given(requested, created)
    .when(
      observe(
        observationOf(
          'authorized',
          showing(attempt(1, 'refused', 'card', 'A1'), declined),
          showing(attempt(2, 'authorized'), card),
        ),
      ),
    )
    .then(
      {
        type: 'AttemptRefused',
        attemptId: 'paym_1',
        responseCode: 'A1',
        methodDetails: declined,
        at,
      },
      {
        type: 'PaymentAuthorized',
        attemptId: 'paym_2',
        expiresAt: plusMs(at, 2 * 60_000 + 7 * DAY_MS),
        methodDetails: card,
        at,
      },
    );
});

test('an accepted direct debit records the last characters of the account', () => {
  const account: MethodDetails = { method: 'sepa', last4: 'X189' };
  given(requested, created)
    .when(observe(observationOf('processing', showing(attempt(1, 'to_capture', 'sepa'), account))))
    .then({
      type: 'DirectDebitAccepted',
      attemptId: 'paym_1',
      mandateId: 'sepa_1',
      methodDetails: account,
      at,
    });
});
