import { PartnerError } from '../../api/partner/partner-error.js';
import type { Transaction } from '../../storage/database.js';

/** Test value: this email is blocked, as if the service had ended the contract of its company. */
export const TERMINATED_EMAIL = 'terminated@example.test';

const TAKE = {
  name: 'onboarding:take-email',
  text: `INSERT INTO onboarding_emails (live, email, company_id) VALUES ($1, $2, $3)
         ON CONFLICT (live, email) DO NOTHING RETURNING email`,
};
const HOLDER = {
  name: 'onboarding:email-holder',
  text: 'SELECT company_id, terminated FROM onboarding_emails WHERE live = $1 AND email = $2',
};
/**
 * Releases an email that a company no longer uses. While the service is ending the company's
 * contract, all its emails stay reserved, because they are blocked when the contract has ended.
 */
const RELEASE = {
  name: 'onboarding:release-email',
  text: `DELETE FROM onboarding_emails
         WHERE live = $1 AND email = $2 AND company_id = $3 AND NOT terminated AND NOT EXISTS (
           SELECT FROM onboarding_companies WHERE id = $3 AND ended_by_service)`,
};
const RELEASE_FORMER = {
  name: 'onboarding:release-former-emails',
  text: `DELETE FROM onboarding_emails
         WHERE company_id = $1 AND email <> $2 AND NOT terminated`,
};
const TERMINATE = {
  name: 'onboarding:terminate-email',
  text: 'UPDATE onboarding_emails SET terminated = true WHERE company_id = $1',
};

const unavailable = (): PartnerError =>
  new PartnerError(409, 'email-unavailable', 'email unavailable');
const terminated = (): PartnerError =>
  new PartnerError(409, 'email-terminated', 'email terminated');

/**
 * The stored form of an email: compared case-insensitively, as all spellings lead to the same
 * mailbox.
 */
const kept = (email: string): string => email.toLowerCase();

/**
 * Reserves the email for the company. Of two concurrent requests the second waits for the first.
 * Throws `PartnerError` 409 (docs/provider/onboarding.md#errors).
 */
export const takeEmail = async (
  tx: Transaction,
  live: boolean,
  email: string,
  companyId: string,
): Promise<void> => {
  if (!live && kept(email) === TERMINATED_EMAIL) throw terminated();
  const taken = await tx.query(TAKE, [live, kept(email), companyId]);
  if (taken.length > 0) return;
  const [holder] = await tx.query<{ company_id: string; terminated: boolean }>(HOLDER, [
    live,
    kept(email),
  ]);
  if (holder?.terminated === true) throw terminated();
  if (holder?.company_id !== companyId) throw unavailable();
};

/** Reserves the new email of a company's user after a PATCH has changed it. */
export const changeEmail = async (
  tx: Transaction,
  live: boolean,
  change: { readonly from: string; readonly to: string },
  companyId: string,
): Promise<void> => {
  if (kept(change.from) === kept(change.to)) return;
  await takeEmail(tx, live, change.to, companyId);
  await tx.query(RELEASE, [live, kept(change.from), companyId]);
};

/**
 * After a manual status change reverts the end of the contract, releases the company's earlier
 * emails: only the current email of its user stays reserved.
 */
export const releaseFormerEmails = async (
  tx: Transaction,
  companyId: string,
  email: string,
): Promise<void> => {
  await tx.query(RELEASE_FORMER, [companyId, kept(email)]);
};

/**
 * Blocks the emails of a company whose contract the service ended: they cannot be used for
 * registration again.
 */
export const terminateEmails = async (tx: Transaction, companyId: string): Promise<void> => {
  await tx.query(TERMINATE, [companyId]);
};
