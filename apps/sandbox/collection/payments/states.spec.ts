import { disputeMachine } from '../disputes/dispute-states.js';
import { mandateMachine } from '../mandates/mandate-states.js';
import { payoutMachine } from '../payouts/payout-states.js';
import { refundMachine } from '../refunds/refund-states.js';
import { authMachine, intentMachine, paymentMachine } from './states.js';

const statesOf = ({ table }: { readonly table: object }): string[] => Object.keys(table).sort();

describe('the state machines', () => {
  test.each([
    // The API returns this status as null while the bank has not responded.
    [
      'payment',
      paymentMachine,
      [
        'authorized',
        'to_capture',
        'capture_sent',
        'captured',
        'disputed',
        'expired',
        'failed',
        'refused',
        'canceled',
        'awaiting_bank',
      ],
    ],
    [
      'auth',
      authMachine,
      [
        'available',
        'requested',
        'attempted',
        'success',
        'declined',
        'expired',
        'failed',
        'unavailable',
      ],
    ],
    ['payout', payoutMachine, ['pending', 'to_pay', 'sent', 'paid', 'failed']],
    [
      'payment intent',
      intentMachine,
      [
        'require_payment_method',
        'require_authentication',
        'require_authorization',
        'authorized',
        'to_capture',
        'capture_sent',
        'captured',
        'processing',
        'canceled',
        'unpaid',
      ],
    ],
    ['refund', refundMachine, ['to_refund', 'refund_sent', 'refunded', 'not_honored', 'failed']],
    [
      'dispute',
      disputeMachine,
      [
        'open',
        'evidence_pending',
        'evidence_sent',
        'evidence_verification',
        'accepted',
        'won',
        'lost',
        'out_of_time',
        'not_contestable',
      ],
    ],
    ['mandate', mandateMachine, ['unsigned', 'signed', 'deleted']],
  ] as const)('have, for a %s, exactly the specified statuses', (_, machine, states) => {
    expect(statesOf(machine)).toEqual([...states].sort());
  });
});

test.each([
  ['authorized', 'capture', 'to_capture'],
  ['to_capture', 'cut_off', 'capture_sent'],
  ['capture_sent', 'clear', 'captured'],
  ['authorized', 'expire', 'expired'],
  ['captured', 'dispute', 'disputed'],
] as const)(
  'a payment in status %s changes by the transition %s to the status %s',
  (from, move, to) => {
    expect(paymentMachine.next(from, move)).toBe(to);
  },
);

test('a sent or ended payment cannot be canceled', () => {
  for (const status of ['authorized', 'to_capture'] as const) {
    expect(paymentMachine.can(status, 'cancel')).toBe(true);
  }
  for (const status of ['capture_sent', 'captured', 'disputed', 'expired', 'failed'] as const) {
    expect(paymentMachine.can(status, 'cancel')).toBe(false);
  }
});
