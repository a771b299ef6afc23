import { randomInt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { assert, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, plusMs } from '#kernel';
import { SandboxClock } from '../../clock/sandbox-clock.js';
import type { Transaction } from '../../storage/database.js';
import { Fingerprints } from '../../storage/fingerprints.js';
import { Wake } from '../../storage/wake.js';
import type { FullCompany } from '../companies/company-row.js';
import { registration } from '../companies/company-status.js';
import { CompanyStore } from '../companies/company-store.js';
import { endContractCode } from '../companies/contract-codes.js';
import { StatusChanges } from '../companies/status-changes.js';
import { MessageInbox } from './message-inbox.js';
import { missingToSign, progressOf } from './registration-progress.js';

/** The lifetime of a code, the same as that of a mandate's code. */
const CODE_LIFE_MS = 10 * MINUTE_MS;
const MAX_TRIES = 5;
/**
 * Maximum number of codes an hour, because every new code allows five more guesses at four digits.
 */
const MAX_CODES_AN_HOUR = 5;
const MAX_WRONG_A_DAY = 20;

/** The result of an attempt to sign, as a code for which the page displays a text. */
export type SigningOutcome =
  | 'signed'
  | 'not_found'
  | 'not_open'
  | 'incomplete'
  | 'changed'
  | 'no_code'
  | 'code_expired'
  | 'too_many_tries'
  | 'locked'
  | 'wrong_code';

export type CodeOutcome =
  | 'sent'
  | 'not_found'
  | 'not_open'
  | 'incomplete'
  | 'too_many_codes'
  | 'locked';

interface CodeRow {
  /** The hash of the code; null once the code can no longer be used. */
  readonly code_hash: Buffer | null;
  readonly code_tries: number;
  readonly code_expires_at: Instant | null;
  readonly code_version: number | null;
  readonly wrong_codes: number;
}

const CODE = {
  name: 'signing:code',
  text: `SELECT code_hash, code_tries, code_expires_at, code_version,
           CASE WHEN wrong_codes_since > $2 THEN wrong_codes ELSE 0 END AS wrong_codes
         FROM onboarding_companies WHERE id = $1`,
};
const SET_CODE = {
  name: 'signing:set-code',
  text: `UPDATE onboarding_companies
         SET code_hash = $2, code_tries = 0, code_expires_at = $3, code_version = version
         WHERE id = $1`,
};
const COUNT_TRY = {
  name: 'signing:count-try',
  text: `UPDATE onboarding_companies SET code_tries = code_tries + 1,
           wrong_codes = CASE WHEN wrong_codes_since > $2 THEN wrong_codes + 1 ELSE 1 END,
           wrong_codes_since = CASE WHEN wrong_codes_since > $2 THEN wrong_codes_since ELSE $3 END
         WHERE id = $1`,
};
const SIGN = {
  name: 'signing:sign',
  text: `UPDATE onboarding_companies
         SET signed_at = $2, signed_file = file, code_expires_at = NULL WHERE id = $1`,
};

/** The merchant's signature of the reviewed data, with a code sent to the user's phone. */
@Injectable()
export class SigningService {
  constructor(
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(StatusChanges) private readonly changes: StatusChanges,
    @Inject(MessageInbox) private readonly inbox: MessageInbox,
    @Inject(SandboxClock) private readonly clock: SandboxClock,
    @Inject(Wake) private readonly wake: Wake,
    @Inject(Fingerprints) private readonly fingerprints: Fingerprints,
  ) {}

  /** Sends a new code; earlier codes become invalid. */
  async sendCode(linkToken: string): Promise<CodeOutcome> {
    let until: Instant | null = null;
    const outcome = await this.whileLocked(linkToken, async (tx, company) => {
      if (!registration.can(company.status, 'sign')) return 'not_open';
      if (missingToSign(progressOf(company)).length > 0) return 'incomplete';
      const now = this.clock.now();
      if ((await this.codeOf(tx, company.id, now)).wrong_codes >= MAX_WRONG_A_DAY) return 'locked';
      const sent = await this.inbox.countSince(tx, company.id, plusMs(now, -HOUR_MS));
      if (sent >= MAX_CODES_AN_HOUR) return 'too_many_codes';
      until = plusMs(now, CODE_LIFE_MS);
      await endContractCode(tx, company.id);
      await this.giveCode(tx, company, { at: now, until });
      return 'sent';
    });
    this.wake.at(until);
    return outcome;
  }

  /**
   * Signs the contract. `version`: the version of the data that the merchant saw; when the data has
   * changed since then, nothing is signed.
   */
  async sign(linkToken: string, code: string, version: number): Promise<SigningOutcome> {
    let dueAt: Instant | null = null;
    const outcome = await this.whileLocked(linkToken, async (tx, company) => {
      const refusal = await this.refusalOf(tx, company, code, version);
      if (refusal !== null) return refusal;
      const now = this.clock.now();
      await tx.query(SIGN, [company.id, now]);
      const to = registration.next(company.status, 'sign');
      dueAt = await this.changes.move(tx, company, to, now);
      return 'signed';
    });
    this.wake.at(dueAt);
    return outcome;
  }

  private async refusalOf(
    tx: Transaction,
    company: FullCompany,
    code: string,
    version: number,
  ): Promise<SigningOutcome | null> {
    if (!registration.can(company.status, 'sign')) return 'not_open';
    if (missingToSign(progressOf(company)).length > 0) return 'incomplete';
    if (company.version !== version) return 'changed';
    const now = this.clock.now();
    const sent = await this.codeOf(tx, company.id, now);
    const { code_hash: hash, code_expires_at: until } = sent;
    if (sent.wrong_codes >= MAX_WRONG_A_DAY) return 'locked';
    if (until === null) return 'no_code';
    if (until <= now || sent.code_version !== version) return 'code_expired';
    if (sent.code_tries >= MAX_TRIES) return 'too_many_tries';
    if (hash === null) return 'code_expired';
    if (timingSafeEqual(hash, this.hashOf(company.id, code))) return null;
    await tx.query(COUNT_TRY, [company.id, plusMs(now, -DAY_MS), now]);
    if (sent.code_tries + 1 === MAX_TRIES) await endContractCode(tx, company.id);
    return 'wrong_code';
  }

  private async giveCode(
    tx: Transaction,
    company: FullCompany,
    open: { readonly at: Instant; readonly until: Instant },
  ): Promise<void> {
    const code = String(randomInt(10_000)).padStart(4, '0');
    await tx.query(SET_CODE, [company.id, this.hashOf(company.id, code), open.until]);
    await this.inbox.send(tx, company, code, open);
  }

  private hashOf(companyId: string, code: string): Buffer {
    return Buffer.from(this.fingerprints.ofCode(companyId, code), 'hex');
  }

  /** Returns the latest code, and the number of wrong codes entered within a day. */
  private async codeOf(tx: Transaction, companyId: string, now: Instant): Promise<CodeRow> {
    const [row] = await tx.query<CodeRow>(CODE, [companyId, plusMs(now, -DAY_MS)]);
    assert(row !== undefined, 'the company is locked');
    return row;
  }

  private async whileLocked<T>(
    linkToken: string,
    work: (tx: Transaction, company: FullCompany) => Promise<T>,
  ): Promise<T | 'not_found'> {
    const known = await this.store.readByLink(linkToken);
    if (known === null) return 'not_found';
    return this.store.database.transaction(async (tx) => {
      await this.store.lockById(tx, known.id);
      return work(tx, await this.store.readIn(tx, known.id));
    });
  }
}
