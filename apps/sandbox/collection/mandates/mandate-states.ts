import { stateMachine } from '../../storage/state-machine.js';

/** The status is not a field of the API: `signed_at` and `deleted_at` show it. */
export type MandateStatus = 'unsigned' | 'signed' | 'deleted';

type MandateMove = 'sign' | 'delete';

/**
 * The state machine of mandates. A mandate is signed by a code, by `signed_at`, or by the upload of
 * its document. See docs/provider/payments-completion.md#resources.
 */
export const mandateMachine = stateMachine<MandateStatus, MandateMove>('mandate', {
  unsigned: { sign: 'signed', delete: 'deleted' },
  signed: { delete: 'deleted' },
  deleted: {},
});
