import { randomInt, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Instant, MINUTE_MS, newId, plusMs } from '#kernel';
import { scopeOf } from '../../storage/account-scope.js';
import type { Transaction } from '../../storage/database.js';
import { Fingerprints } from '../../storage/fingerprints.js';
import type { Unit } from '../../storage/unit.js';
import { ERASED_MESSAGES, type MessageRow, MESSAGES } from '../messages/message-row.js';
import type { MandateRow } from './mandate-resource.js';
import { SIGNING_CODES, type SigningCodeRow } from './signing-code-row.js';

/**
 * The maximum number of attempts with a signing code, and its lifetime. See
 * docs/provider/payments-completion.md#hosted-page.
 */
const MAX_TRIES = 5;
const LIFETIME_MS = 10 * MINUTE_MS;

const LATEST = {
  name: 'signing-code:latest',
  text: `SELECT c.*, m.recipient FROM signing_codes c JOIN messages m ON m.id = c.message_id
         WHERE c.mandate_id = $1 ORDER BY c.seq DESC LIMIT 1`,
};

const OPEN_OF_INTENT = {
  name: 'signing-code:open-of-intent',
  text: `SELECT c.* FROM signing_codes c JOIN mandates m ON m.id = c.mandate_id
         WHERE m.intent_id = $1 AND c.status = 'open'`,
};

/** A code, and the telephone number to which the code was sent. */
export interface SentCode extends SigningCodeRow {
  readonly recipient: string;
}

export type CodeTry =
  | { readonly result: 'right' }
  | { readonly result: 'wrong'; readonly triesLeft: number }
  /**
   * All attempts were wrong, the code has expired, or no code was sent: the payer must request a
   * new code.
   */
  | { readonly result: 'spent' | 'expired' };

/** The text of a message with a code. */
type CodeText = (code: string) => string;

/**
 * The codes that sign mandates. While a code is open, its keyed hash is stored and its message is
 * readable; both are erased when the code is used or becomes invalid.
 */
@Injectable()
export class SigningCodes {
  constructor(private readonly fingerprints: Fingerprints) {}

  /** Returns the latest code of a mandate; null when none was sent. */
  async latest(
    tx: Pick<Transaction, 'query'>,
    mandate: Pick<MandateRow, 'id'>,
  ): Promise<SentCode | null> {
    const [row] = await tx.query<SentCode>(LATEST, [mandate.id]);
    return row ?? null;
  }

  /** Sends a new code to the payer; an open code of the same mandate becomes invalid. */
  send(
    unit: Unit,
    mandate: MandateRow,
    to: { readonly phone: string; readonly text: CodeText; readonly before: SentCode | null },
    now: Instant,
  ): void {
    const code = String(randomInt(10_000)).padStart(4, '0');
    const message: MessageRow = {
      id: newId('msg'),
      ...scopeOf(mandate),
      recipient: to.phone,
      body: to.text(code),
      intent_id: mandate.intent_id,
      created_at: now,
    };
    const id = newId('code');
    const until = plusMs(now, LIFETIME_MS);
    unit.insert(MESSAGES, message);
    unit.insert(SIGNING_CODES, {
      id,
      mandate_id: mandate.id,
      message_id: message.id,
      code_hash: this.fingerprints.ofCode(id, code),
      status: 'open',
      tries: 0,
      expires_at: until,
      created_at: now,
      due_at: until,
    });
    if (to.before?.status === 'open') end(unit, to.before, 'replaced');
  }

  /**
   * Invalidates the unused signing code of a mandate that is being deleted. Call while holding the
   * mandate's lock.
   */
  async withdraw(tx: Transaction, unit: Unit, mandate: MandateRow): Promise<void> {
    const sent = await this.latest(tx, mandate);
    if (sent?.status === 'open') end(unit, sent, 'withdrawn');
  }

  /**
   * Checks an entered code under the lock of the mandate's intent, and increments the number of
   * attempts.
   */
  try(unit: Unit, sent: SentCode | null, typed: string, now: Instant): CodeTry {
    if (sent?.status === 'expired' || sent?.status === 'withdrawn') return { result: 'expired' };
    if (sent === null || sent.status !== 'open') return { result: 'spent' };
    if (sent.expires_at <= now) return { result: 'expired' };
    const tried = { ...sent, tries: sent.tries + 1 };
    if (this.isRight(sent, typed)) {
      end(unit, tried, 'used');
      return { result: 'right' };
    }
    if (tried.tries === MAX_TRIES) {
      end(unit, tried, 'spent');
      return { result: 'spent' };
    }
    unit.change(SIGNING_CODES, tried);
    return { result: 'wrong', triesLeft: MAX_TRIES - tried.tries };
  }

  private isRight({ id, code_hash: hash }: SentCode, typed: string): boolean {
    const typedHash = this.fingerprints.ofCode(id, typed);
    return hash !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(typedHash));
  }
}

/** Makes a code unusable and erases the message that contains it. */
const end = (
  unit: Unit,
  code: SigningCodeRow,
  status: 'used' | 'spent' | 'replaced' | 'withdrawn',
): void => {
  unit.change(SIGNING_CODES, { ...code, status, code_hash: null, due_at: null });
  unit.change(ERASED_MESSAGES, { id: code.message_id, body: null });
};

/**
 * Withdraws the open code of an intent whose payment changes or ends. Call while holding the
 * intent's lock.
 */
export const withdrawCodesOf = async (
  tx: Transaction,
  unit: Unit,
  intentId: string,
): Promise<void> => {
  const open = await tx.query<SigningCodeRow>(OPEN_OF_INTENT, [intentId]);
  for (const code of open) end(unit, code, 'withdrawn');
};
