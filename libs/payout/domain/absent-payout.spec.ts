import { examplesOf, type LaterCommands, scenario } from '#testing';
import type { PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import { at, lines } from './payout.fixture.js';

const given = scenario(payoutDecider);

/** Only the provider makes payouts; a payout's stream begins when we first read the payout. */
const LATER: LaterCommands<PayoutCommand, 'ObservePayout'> = {
  NoteLines: [{ type: 'NoteLines', lines, at }],
  AcceptLine: [
    {
      type: 'AcceptLine',
      lineKind: 'payment',
      objectId: 'paym_1',
      booked: { amountMinor: 1_999, feesMinor: 21 },
      shown: { amountMinor: 1_999, feesMinor: 24 },
      at,
    },
  ],
  NoteReconciliation: [
    {
      type: 'NoteReconciliation',
      matched: 3,
      at,
      exceptions: { unknown: 0, amount: 0, currency: 0, duplicate: 0, fee: 0 },
    },
  ],
};

test.each(examplesOf<PayoutCommand>(LATER))(
  'the command $type is rejected for a payout that was never read',
  (command) => given().when(command).thenRejected('payout_not_found'),
);
