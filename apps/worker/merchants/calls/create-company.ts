import { done, retryLater, stuck } from '#jobs';
import {
  type CompanyObservation,
  DETAILS_ERASED,
  type Merchant,
  type MerchantCommand,
  observationOfCompany,
} from '#onboarding';
import type { LostTime } from '#payment';
import { type CompanyDetails, ProviderRejected, ProviderUnknownOutcome } from '#psp';
import { type SearchResult, soughtBy } from './company-search.js';
import {
  type MerchantCallMaker,
  type MerchantContext,
  type MerchantOutcome,
  observeCompany,
  reasonOf,
} from './merchant-call.js';

interface Creation extends MerchantContext {
  readonly merchant: Extract<Merchant, { status: 'requested' }>;
  readonly details: CompanyDetails;
  /** The periods whose events database restores have lost: also those of an earlier creation. */
  readonly lost: readonly LostTime[];
}

const CALL = 'create_company';

/** `other_account`: the company may be that of another registration, which a restore has lost. */
type Sought = SearchResult | { readonly outcome: 'other_account' };

const bare = (iban: string | null | undefined): string =>
  (iban ?? '').replace(/\s/g, '').toUpperCase();

/**
 * Searches for the company that this creation call, or an earlier creation call, has created. After
 * a restore a company may be that of a lost registration, so its payout account must be the same.
 */
const search = async ({
  merchantId,
  merchant,
  details,
  client,
  parts,
  lost,
}: Creation): Promise<Sought> => {
  const {
    terms: { mode },
    attemptedAt,
    requestedAt,
  } = merchant;
  const own = attemptedAt ?? requestedAt;
  const since = lost.reduce((first, time) => (time.since < first ? time.since : first), own);
  const result = await parts.search.find(client, soughtBy(details, { merchantId, mode, since }));
  if (result.outcome !== 'found' || lost.length === 0) return result;
  const isSameAccount = bare(result.iban) === bare(details.payoutAccount?.iban);
  return isSameAccount ? result : { outcome: 'other_account' };
};

const adopted = (observation: CompanyObservation, { now }: Creation): MerchantOutcome =>
  done('found by email and legal id', observeCompany(observation, now()));

const whyUnknown = (result: Exclude<Sought, { outcome: 'found' }>): string => {
  if (result.outcome === 'other_account') {
    return 'a company with this email, which the log lacks, has another payout account';
  }
  if (result.outcome === 'contested') {
    return `a matching company exists, but the merchant ${result.rivalId} may have created it`;
  }
  const { unreadable } = result;
  return unreadable === 0
    ? 'the company may exist, but is not found'
    : `the company may exist, but is not found; ${unreadable} companies could not be read`;
};

const unknownAt = ({ now }: MerchantContext): MerchantCommand => ({
  type: 'NoteUnknownOutcome',
  call: CALL,
  at: now(),
});

const noteUnknown = (note: string, context: MerchantContext): MerchantOutcome =>
  retryLater(note, unknownAt(context));

const refused = (
  reason: string,
  fields: readonly string[],
  { now }: MerchantContext,
): MerchantOutcome =>
  done(reason, { type: 'ObserveRegistrationRejection', reason, fields, at: now() });

const afterRejection = async (
  creation: Creation,
  error: ProviderRejected,
): Promise<MerchantOutcome> => {
  const { merchant, lost } = creation;
  // The company that uses the email may be ours: an operator may have resolved its creation as not
  // executed by mistake, or a database restore may have lost its creation.
  const isRepeated = merchant.attemptedAt !== null || lost.length > 0;
  const mayBeOurs = error.code === 'email_unavailable' && isRepeated;
  const result = mayBeOurs ? await search(creation) : null;
  if (result?.outcome === 'found') return adopted(result.observation, creation);
  // One of the unreadable companies may be ours. If the rejection were recorded, our company would
  // never be found.
  const isOpen = result?.outcome === 'absent' && result.unreadable > 0;
  if (result !== null && (isOpen || result.outcome === 'other_account')) {
    return noteUnknown(whyUnknown(result), creation);
  }
  return refused(
    reasonOf(error),
    error.faults.map(({ field }) => field),
    creation,
  );
};

const send = async (creation: Creation): Promise<MerchantOutcome> => {
  const { client, details, stillHeld, now } = creation;
  try {
    stillHeld();
    const readAt = now();
    const facts = await client.createCompany(details, creation.merchantId);
    return done('created', observeCompany(observationOfCompany(facts, 'response', readAt), now()));
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(creation, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return noteUnknown(error.message, creation);
  }
};

/**
 * Without the merchant's details a search is impossible: if the company may exist, an operator must
 * resolve the result.
 */
const afterErasure = (mayExist: boolean, context: MerchantContext): MerchantOutcome =>
  mayExist
    ? stuck('the details were erased: the company cannot be searched for', unknownAt(context))
    : refused(DETAILS_ERASED, [], context);

/**
 * Creates the merchant's company, at most once. The provider accepts no reference of ours, so after
 * a call that may have been sent, the company is only searched for. A second call is sent only if
 * the first was certainly not sent, or if an operator has confirmed that the first created no
 * company.
 */
export const createCompany: MerchantCallMaker = async (context) => {
  const { job, merchant, parts } = context;
  if (merchant.status !== 'requested')
    return done(`not needed: the merchant is ${merchant.status}`);
  const mayExist = job.found === 'running' || merchant.unknown.includes(CALL);
  const details = merchant.detailsRef && (await parts.details.read(merchant.detailsRef));
  if (!details) return afterErasure(mayExist, context);
  const creation: Creation = { ...context, merchant, details, lost: await parts.lostTimes() };
  if (job.found === 'ready') return send(creation);
  const result = await search(creation);
  if (result.outcome === 'found') return adopted(result.observation, creation);
  return mayExist ? noteUnknown(whyUnknown(result), context) : send(creation);
};
