import { epochSeconds } from '../../api/epoch-seconds.js';
import type { MessageRow } from './message-row.js';

export const messageResource = (row: MessageRow) => ({
  id: row.id,
  account: row.account_id,
  live: row.live,
  recipient: row.recipient,
  body: row.body,
  payment_intent: row.intent_id,
  created_at: epochSeconds(row.created_at),
});

export type Message = ReturnType<typeof messageResource>;
