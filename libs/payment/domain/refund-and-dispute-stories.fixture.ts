import type { Observation } from './observation.js';
import { attempt, back, dispute, observationOf, refund } from './read-order.fixture.js';

const debit = (status: string) => [attempt(1, status, 'sepa')];

/** For each way in which money is returned to the payer, the successive reads of the provider. */
export const refundAndDisputeStories: Record<string, readonly Observation[]> = {
  'refunded in two parts': [
    {
      ...observationOf('capture_sent', attempt(1, 'capture_sent')),
      refunds: [refund(1, 'to_refund')],
    },
    back([refund(1, 'to_refund')]),
    back([refund(1, 'refund_sent')]),
    back([refund(1, 'refunded'), refund(2, 'to_refund', 750)]),
    back([refund(1, 'refunded'), refund(2, 'refunded', 750)]),
  ],
  'refunded after a refund that the bank rejected': [
    back([]),
    back([refund(1, 'refund_sent', 1_250)]),
    back([refund(1, 'not_honored', 1_250)]),
    back([refund(1, 'not_honored', 1_250), refund(2, 'to_refund', 1_250)]),
    back([refund(1, 'not_honored', 1_250), refund(2, 'refunded', 1_250)]),
  ],
  'charged back before a refund was sent': [
    back([refund(1, 'to_refund')]),
    back([refund(1, 'failed')], [dispute('open', 1_250)]),
    back([refund(1, 'failed')], [dispute('evidence_sent', 1_250)]),
    back([refund(1, 'failed')], [dispute('lost', 1_250)]),
  ],
  'charged back in part, and won': [
    back([]),
    back([], [dispute('open', 800)]),
    back([], [dispute('evidence_sent', 800)]),
    back([], [dispute('won', 800)]),
  ],
  'a direct debit that is returned weeks after its capture': [
    observationOf('processing', ...debit('to_capture')),
    observationOf('capture_sent', ...debit('capture_sent')),
    back([], [], debit('captured')),
    back([], [dispute('not_contestable', 1_250, 'sepa_return')], debit('disputed')),
  ],
};
