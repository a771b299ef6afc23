import { Injectable } from '@nestjs/common';
import { DAY_MS, type Instant, plusMs } from '#kernel';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import type { Transaction } from '../../storage/database.js';
import { MerchantKeys } from '../merchant-keys/merchant-keys.js';
import type { CompanyRow } from './company-row.js';
import { type CompanyStatus, isEnding } from './company-status.js';
import { endContractCode } from './contract-codes.js';
import { releaseFormerEmails, terminateEmails } from './emails.js';

const RECORD = {
  name: 'onboarding:record-status',
  text: `INSERT INTO onboarding_status_changes
           (company_id, partner, live, status, terminated_by_service, at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
};
const SET = {
  name: 'onboarding:set-status',
  text: `UPDATE onboarding_companies
         SET status = $2, due_at = $3, by_hand = $4, ended_by_service = $5 WHERE id = $1`,
};

/** Additional data of a status change. */
export interface ChangeOptions {
  /**
   * Whether the service ends the contract, and not an operator. Also set for the later status
   * changes that complete the end of the contract.
   */
  readonly byService?: boolean;
  /**
   * Whether PATCH /company-status makes the change; from then on the clock no longer changes the
   * status.
   */
  readonly byHand?: boolean;
}

/**
 * How long each step of the review lasts. See
 * docs/provider/onboarding-completion.md#subscription-link.
 */
const STEP_MS = DAY_MS;

const CLOCK_MOVES: ReadonlySet<CompanyStatus> = new Set([
  'pendingActivation',
  'validated',
  'pendingDeactivation',
]);

/**
 * The only code that changes the status of a company. This class also records the history, and
 * creates and revokes API keys.
 */
@Injectable()
export class StatusChanges {
  constructor(private readonly keys: MerchantKeys) {}

  /** Records the creation of a company as the first row of its history. */
  async recordCreation(
    tx: Transaction,
    scope: PartnerScope,
    companyId: string,
    at: Instant,
  ): Promise<void> {
    await this.record(tx, scope, companyId, { status: 'notComplete', at, byService: false });
  }

  /**
   * Changes the status of a company whose row is locked; returns the time of the next automatic
   * change.
   */
  async move(
    tx: Transaction,
    company: CompanyRow,
    to: CompanyStatus,
    at: Instant,
    { byService = false, byHand = false }: ChangeOptions = {},
  ): Promise<Instant | null> {
    const isByHand = company.by_hand || byHand;
    const isByService = isEnding(to) && (company.ended_by_service || byService);
    const dueAt = !isByHand && CLOCK_MOVES.has(to) ? plusMs(at, STEP_MS) : null;
    await tx.query(SET, [company.id, to, dueAt, isByHand, isByService]);
    if (to !== company.status) {
      await this.record(tx, company, company.id, { status: to, at, byService: isByService });
      await endContractCode(tx, company.id);
    }
    if (to === 'available') await this.keys.give(tx, company.id, at);
    if (to === 'deactivate') {
      await this.keys.withdraw(tx, company.id);
      if (isByService) await terminateEmails(tx, company.id);
    }
    if (company.ended_by_service && !isByService) {
      await releaseFormerEmails(tx, company.id, company.file.user.contact.email);
    }
    return dueAt;
  }

  private async record(
    tx: Transaction,
    { partner, live }: PartnerScope,
    companyId: string,
    change: { readonly status: CompanyStatus; readonly at: Instant; readonly byService: boolean },
  ): Promise<void> {
    const { status, at, byService } = change;
    await tx.query(RECORD, [companyId, partner, live, status, byService, at]);
  }
}
