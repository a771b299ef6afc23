import { parseInstant } from '#kernel';
import { examplesOf, type LaterCommands, scenario } from '#testing';
import type { AccountCommand } from './account-command.js';
import { accountDecider } from './account-decider.js';

const given = scenario(accountDecider);
const at = parseInstant('2026-03-02T06:05:00Z');

const LATER: LaterCommands<AccountCommand, 'RegisterAccount'> = {
  ApproveAccount: [{ type: 'ApproveAccount', coolingOffMs: 0, at }],
  RotateKey: [{ type: 'RotateKey', provenBy: 'webhook_endpoint', objectId: 'we_1', at }],
  WithdrawAccount: [{ type: 'WithdrawAccount', at }],
  DisableAccount: [{ type: 'DisableAccount', at }],
};

test.each(examplesOf<AccountCommand>(LATER))(
  'the command $type is rejected for an account that was never registered',
  (command) => given().when(command).thenRejected('account_not_found'),
);
