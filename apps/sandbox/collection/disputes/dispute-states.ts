import { stateMachine } from '../../storage/state-machine.js';

export type DisputeStatus =
  | 'open'
  | 'evidence_pending'
  | 'evidence_sent'
  | 'evidence_verification'
  | 'accepted'
  | 'won'
  | 'lost'
  | 'out_of_time'
  | 'not_contestable';

export type DisputeMove =
  | 'request_evidence'
  | 'rule_out'
  | 'accept'
  | 'lapse'
  | 'send_evidence'
  | 'verify'
  | 'win'
  | 'lose';

/**
 * The state machine of disputes. The merchant may send evidence without being asked; a SEPA return
 * cannot be contested. See docs/provider/payments-completion.md#resources and
 * docs/provider/payments-completion.md#settled-after-real-clients.
 */
export const disputeMachine = stateMachine<DisputeStatus, DisputeMove>('dispute', {
  open: {
    request_evidence: 'evidence_pending',
    send_evidence: 'evidence_sent',
    rule_out: 'not_contestable',
    accept: 'accepted',
    lapse: 'out_of_time',
  },
  evidence_pending: { send_evidence: 'evidence_sent', accept: 'accepted', lapse: 'out_of_time' },
  evidence_sent: { verify: 'evidence_verification' },
  evidence_verification: { win: 'won', lose: 'lost' },
  accepted: {},
  won: {},
  lost: {},
  out_of_time: {},
  not_contestable: {},
});
