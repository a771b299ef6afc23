import { type Merchant, observationOfCompany } from '#onboarding';
import { type CreateCompanyBody, ProviderRejected, ProviderUnknownOutcome } from '#provider';
import { done, lookAgain, stuck } from '../../effects/effect-job.js';
import { findCompany, soughtBy } from './find-company.js';
import {
  type MerchantCallMaker, type MerchantContext, type MerchantOutcome, observeCompany, reasonOf,
} from './merchant-call.js';

interface Creation extends MerchantContext {
  readonly merchant: Extract<Merchant, { status: 'requested' }>;
  readonly details: CreateCompanyBody;
}

const CALL = 'create_company';

/** The company that this creation, or one before it, has made. */
const findOurs = async (creation: Creation): Promise<MerchantOutcome | null> => {
  const { merchant, details, client, parts, now } = creation;
  const since = merchant.attemptedAt ?? merchant.requestedAt;
  const sought = soughtBy(details, merchant.terms.mode, since);
  const observation = await findCompany(client, parts.store, sought, now);
  return observation && done('found by email and legal id', observeCompany(observation, now()));
};

const noteUnknown = (note: string, { now }: MerchantContext): MerchantOutcome =>
  lookAgain(note, { type: 'NoteUnknownOutcome', call: CALL, at: now() });

/** Errors of an email name no field (specification, "Errors"), and there is but one. */
const fieldsOf = ({ code, faults }: ProviderRejected): readonly string[] =>
  faults.length === 0 && code?.startsWith('email-')
    ? ['user.contact.email'] : faults.map(({ field }) => field);

const refused = (
  reason: string, fields: readonly string[], { now }: MerchantContext,
): MerchantOutcome =>
  done(reason, { type: 'ObserveRegistrationRejection', reason, fields, at: now() });

const afterRejection = async (
  creation: Creation, error: ProviderRejected,
): Promise<MerchantOutcome> => {
  // The email may be in use by a company that a creation made which a person took for absent.
  const mayBeOurs = error.code === 'email-unavailable' && creation.merchant.attemptedAt !== null;
  const ours = mayBeOurs ? await findOurs(creation) : null;
  return ours ?? refused(reasonOf(error), fieldsOf(error), creation);
};

const send = async (creation: Creation): Promise<MerchantOutcome> => {
  const { client, details, stillHeld, now } = creation;
  try {
    stillHeld();
    const readAt = now();
    const answer = await client.createCompany(details);
    return done('created', observeCompany(observationOfCompany(answer, 'answer', readAt), now()));
  } catch (error) {
    if (error instanceof ProviderRejected) return afterRejection(creation, error);
    if (!(error instanceof ProviderUnknownOutcome)) throw error;
    return noteUnknown(error.message, creation);
  }
};

/**
 * Registers the merchant's company, once. The provider takes no reference of ours, so from the
 * moment at which a call may have been made the company is only looked for; it is sent again when
 * it was certainly not sent, or when a person has settled that there is none.
 */
export const createCompany: MerchantCallMaker = async (context) => {
  const { job, merchant, parts } = context;
  if (merchant.status !== 'requested') return done(`not needed: it is ${merchant.status}`);
  const mayExist = job.found === 'calling' || merchant.unknown.includes(CALL);
  const details = merchant.detailsRef && await parts.details.read(merchant.detailsRef);
  if (!details) {
    return mayExist
      ? stuck('the details were erased: a company of theirs cannot be looked for')
      : refused('details-erased', [], context);
  }
  const creation: Creation = { ...context, merchant, details };
  if (job.found !== 'ready') {
    const ours = await findOurs(creation);
    if (ours) return ours;
  }
  return mayExist ? noteUnknown('it may have been made, and is not found', context)
    : send(creation);
};
