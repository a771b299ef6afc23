import { randomInt, timingSafeEqual } from 'node:crypto';
import { type Instant, MINUTE_MS, newId, plusMs } from '#kernel';
import type { Transaction } from '../database/database.js';
import type { Unit } from '../database/unit.js';
import { MESSAGES, type MessageRow } from '../messages/message-row.js';
import type { MandateRow } from './mandate-row.js';
import { SIGNING_CODES, type SigningCodeRow } from './signing-code-row.js';

/** Completion, "Hosted page". */
const MAX_TRIES = 5;
const LIFETIME_MS = 10 * MINUTE_MS;

const LATEST = {
  name: 'signing-code:latest',
  text: `SELECT c.*, m.recipient FROM signing_codes c JOIN messages m ON m.id = c.message_id
         WHERE c.mandate_id = $1 ORDER BY c.seq DESC LIMIT 1`,
};

/** A code, and the telephone that it was sent to. */
export interface SentCode extends SigningCodeRow {
  readonly recipient: string;
}

export type CodeTry =
  | { readonly result: 'right' }
  | { readonly result: 'wrong'; readonly triesLeft: number }
  /** All its tries were wrong, its time is over, or it was never sent: a new one is needed. */
  | { readonly result: 'spent' | 'expired' };

/** The text of the message that carries a code. */
export type CodeText = (code: string) => string;

/** The last code that was sent for a mandate; null before the first. */
export const latestCode = async (
  tx: Pick<Transaction, 'query'>,
  mandate: Pick<MandateRow, 'id'>,
): Promise<SentCode | null> => {
  const [row] = await tx.query<SentCode>(LATEST, [mandate.id]);
  return row ?? null;
};

/** Sends a new code. One that is still open ends with it. */
export const sendCode = (
  unit: Unit,
  mandate: MandateRow,
  to: { readonly phone: string; readonly text: CodeText; readonly before: SentCode | null },
  now: Instant,
): void => {
  const code = String(randomInt(10_000)).padStart(4, '0');
  const message: MessageRow = {
    id: newId('msg'), live: mandate.live, recipient: to.phone, body: to.text(code),
    intent_id: mandate.intent_id, created_at: now,
  };
  unit.insert(MESSAGES, message);
  unit.insert(SIGNING_CODES, {
    id: newId('code'), mandate_id: mandate.id, message_id: message.id, code, status: 'open',
    tries: 0, expires_at: plusMs(now, LIFETIME_MS), created_at: now,
  });
  if (to.before?.status === 'open') {
    unit.change(SIGNING_CODES, { ...to.before, status: 'replaced' });
  }
};

/** Tries a code under the lock of its mandate's intent, and counts the try. */
export const tryCode = (
  unit: Unit,
  sent: SentCode | null,
  typed: string,
  now: Instant,
): CodeTry => {
  if (sent === null || sent.status !== 'open') return { result: 'spent' };
  if (sent.expires_at <= now) return { result: 'expired' };
  const tries = sent.tries + 1;
  const isRight =
    /^\d{4}$/.test(typed) && timingSafeEqual(Buffer.from(typed), Buffer.from(sent.code));
  if (isRight) {
    unit.change(SIGNING_CODES, { ...sent, tries, status: 'used' });
    return { result: 'right' };
  }
  const isSpent = tries === MAX_TRIES;
  unit.change(SIGNING_CODES, { ...sent, tries, status: isSpent ? 'spent' : 'open' });
  return isSpent ? { result: 'spent' } : { result: 'wrong', triesLeft: MAX_TRIES - tries };
};
