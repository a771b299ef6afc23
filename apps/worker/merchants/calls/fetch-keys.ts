import { done, retryLater, stuck } from '#jobs';
import { Rejection } from '#kernel';
import { Problem } from '#platform';
import { type CompanyKeys, ProviderRejected } from '#psp';
import {
  type CompanyContext,
  type MerchantCallMaker,
  type MerchantOutcome,
  ofCompany,
  readCompany,
  reasonOf,
} from './merchant-call.js';

/**
 * Handles a refusal of the company's keys. 409: the company is no longer available, or its keys do
 * not exist yet; a read of the company shows which.
 */
const afterRejection = async (
  context: CompanyContext,
  error: ProviderRejected,
): Promise<MerchantOutcome> => {
  if (error.status !== 409) throw error;
  const { facts, command } = await readCompany(context);
  const reason = reasonOf(error);
  return facts.status === 'available' ? retryLater(reason, command) : done(reason, command);
};

/**
 * Registers the key. The keys from the response are stored only in the provider account, encrypted;
 * never in an event, a note or the process log.
 */
const register = async (context: CompanyContext, keys: CompanyKeys): Promise<string> => {
  const { job, merchant, merchantId, parts, stillHeld, now } = context;
  const { platformId, mode } = merchant.terms;
  const account = await parts.registerAccount.register(
    { platformId, merchantId, mode, apiKey: keys[mode] },
    { actor: 'provider', causationId: job.jobId, callerHolds: async () => stillHeld() },
  );
  const used = await parts.accounts.forOrder({ platformId, merchantId, mode }, now());
  if (used === account.id) return account.id;
  throw new Rejection(
    'account_waits',
    `the provider account ${account.id} must be approved: it differs from the account in use`,
  );
};

/**
 * Decides whether to retry. While the account is being registered by another process, the call is
 * retried. If the key already belongs to a different account, or if two operators must first
 * approve the account, an operator is needed.
 */
const afterProblem = (error: unknown): MerchantOutcome => {
  if (error instanceof Rejection) return stuck(`${error.code}: ${error.message}`);
  if (!(error instanceof Problem)) throw error;
  switch (error.code) {
    case 'account_registration_in_progress':
      return retryLater('the account is being registered');
    case 'provider_key_taken':
      return stuck('another provider account has the key of this company');
    default:
      throw error;
  }
};

/**
 * Fetches the company's key of the payment API and registers it as the merchant's provider account.
 * Safe to repeat: the call only reads, and a second registration finds the first.
 */
export const fetchKeys: MerchantCallMaker = async (context) => {
  const company = ofCompany(context);
  if (company === null || !company.merchant.keysRequested) return done('no longer requested');
  const { merchant, client, now } = company;
  if (merchant.status !== 'available') return done(`not due: the merchant is ${merchant.status}`);
  const { mode } = merchant.terms;
  const readAt = now();
  let keys: CompanyKeys;
  try {
    keys = await client.companyKeys(merchant.companyId);
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(company, error);
    throw error;
  }
  try {
    const accountId = await register(company, keys);
    return done('registered', { type: 'AttachAccount', accountId, mode, readAt, at: now() });
  } catch (error) {
    return afterProblem(error);
  }
};
