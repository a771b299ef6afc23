import type { Decider } from '#kernel';
import { assert, Rejection } from '#kernel';
import type { MerchantCommand } from './merchant-command.js';
import { DETAILS_ERASED, type MerchantEvent } from './merchant-event.js';
import { evolve } from './merchant-evolve.js';
import { isRegistered, type Merchant, type RegisteredMerchant } from './merchant.js';
import { observeCompany, openingOf } from './observe-company.js';
import {
  observeTerminals,
  rejectTerminal,
  requestTerminal,
  requestTerminalCancel,
} from './terminals.js';

type Command<T extends MerchantCommand['type']> = Extract<MerchantCommand, { type: T }>;
type Known = Exclude<Merchant, { status: 'none' }>;

const draft = (merchant: Merchant, command: Command<'DraftMerchant'>): MerchantEvent[] => {
  if (merchant.status !== 'none') {
    throw new Rejection('merchant_exists', 'a merchant with this id exists already');
  }
  const { type: _type, ...terms } = command;
  return [{ type: 'MerchantDrafted', ...terms }];
};

/**
 * Revises the details. Rejected while a creation may be in progress, because the provider may use
 * the old or the new details.
 */
const revise = (merchant: Known, command: Command<'ReviseDetails'>): MerchantEvent[] => {
  if (merchant.status === 'requested') throw underWay();
  const { detailsRef, fields, at } = command;
  return [{ type: 'DetailsRevised', detailsRef, fields, at }];
};

const underWay = (): Rejection =>
  new Rejection(
    'registration_in_progress',
    'the company is being registered: change the details when the status of the merchant shows the result',
  );

/**
 * At most one creation is in progress, even while its result is unknown: a second creation could
 * lead to a second company.
 */
const requestRegistration = (
  merchant: Known,
  { at }: Command<'RequestRegistration'>,
): MerchantEvent[] => {
  if (merchant.status !== 'draft' && merchant.status !== 'rejected') return [];
  // The merchant's details were erased after the draft, so there is nothing to register.
  if (merchant.detailsRef === null) return [];
  return [{ type: 'RegistrationRequested', detailsRef: merchant.detailsRef, at }];
};

const settledCreation = (merchant: Known, at: MerchantEvent['at']): MerchantEvent[] =>
  merchant.unknown.includes('create_company')
    ? [{ type: 'CompanyRequestResultResolved', request: 'create_company', at }]
    : [];

/**
 * Throws if the registration was never requested. A registration counts as requested even after an
 * operator confirmed that it created no company.
 */
const assertRequested = (merchant: Known): void =>
  assert(
    merchant.status !== 'draft' || merchant.attemptedAt !== null,
    'a registration with a result was requested before',
  );

const rejectRegistration = (
  merchant: Known,
  { reason, fields, at }: Command<'ObserveRegistrationRejection'>,
): MerchantEvent[] => {
  assertRequested(merchant);
  if (merchant.status !== 'requested') return [];
  return [{ type: 'RegistrationRejected', reason, fields, at }, ...settledCreation(merchant, at)];
};

/**
 * Records an operator's confirmation that the provider has no company for the request; accepted
 * only while the result is unknown. After the details were erased, the registration ends, because
 * it cannot be requested again.
 */
const resolveAbsent = (
  merchant: Known,
  { at }: Command<'ResolveRegistrationAbsent'>,
): MerchantEvent[] => {
  assertRequested(merchant);
  if (merchant.status !== 'requested') return [];
  if (!merchant.unknown.includes('create_company')) throw underWay();
  const result: MerchantEvent =
    merchant.detailsRef === null
      ? { type: 'RegistrationRejected', reason: DETAILS_ERASED, fields: [], at }
      : { type: 'RegistrationNotFound', at };
  return [result, ...settledCreation(merchant, at)];
};

const isUnderWay = (merchant: Known, call: Command<'NoteUnknownOutcome'>['call']): boolean => {
  if (call === 'create_company') return merchant.status === 'requested';
  if (!isRegistered(merchant)) return false;
  return call === 'order_terminal'
    ? merchant.terminalOrder !== null
    : merchant.terminals.some(({ cancelRequested }) => cancelRequested);
};

const reportSilence = (merchant: Known, command: Command<'ReportSilence'>): MerchantEvent[] => {
  const { status, at } = command;
  if (merchant.status !== status || merchant.silent) return [];
  return [{ type: 'CompanyStatusOverdue', status, at }];
};

const reviewMismatches = (
  { unreviewed }: Known,
  { at }: Command<'ReviewMismatches'>,
): MerchantEvent[] => {
  if (unreviewed.length === 0)
    throw new Rejection('no_mismatch', 'the merchant has no status mismatch to review');
  return [{ type: 'CompanyMismatchesReviewed', at }];
};

const attachAccount = (
  merchant: RegisteredMerchant,
  command: Command<'AttachAccount'>,
): readonly MerchantEvent[] => {
  const { accountId, mode, readAt, at } = command;
  const known = merchant.accounts.find((account) => account.mode === mode);
  // An API key is not accepted after the end of the contract, and not if it was read earlier than
  // the stored key.
  if (merchant.status === 'closed' || (known && known.readAt >= readAt)) return [];
  const attached = { type: 'AccountAttached', accountId, mode, readAt, at } as const;
  return [attached, ...openingOf(evolve(merchant, attached), at)];
};

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index]);

const known = (merchant: Merchant): Known => {
  if (merchant.status !== 'none') return merchant;
  throw new Rejection('merchant_not_found', 'no merchant has this id');
};

const registered = (merchant: Merchant): RegisteredMerchant => {
  const { status } = known(merchant);
  if (isRegistered(merchant)) return merchant;
  throw new Rejection(
    'merchant_not_registered',
    `the company is not registered at the provider yet: the status of the merchant is ${status}`,
  );
};

const ofKnown =
  <Asked>(decide: (merchant: Known, command: Asked) => readonly MerchantEvent[]) =>
  (merchant: Merchant, command: Asked): readonly MerchantEvent[] =>
    decide(known(merchant), command);

const ofRegistered =
  <Asked>(decide: (merchant: RegisteredMerchant, command: Asked) => readonly MerchantEvent[]) =>
  (merchant: Merchant, command: Asked): readonly MerchantEvent[] =>
    decide(registered(merchant), command);

type Decide = {
  readonly [Type in MerchantCommand['type']]: (
    merchant: Merchant,
    command: Command<Type>,
  ) => readonly MerchantEvent[];
};

const DECIDE: Decide = {
  DraftMerchant: draft,
  ReviseDetails: ofKnown(revise),
  RequestRegistration: ofKnown(requestRegistration),
  ObserveRegistrationRejection: ofKnown(rejectRegistration),
  ResolveRegistrationAbsent: ofKnown(resolveAbsent),
  ObserveCompanyStatus: ofKnown(observeCompany),
  ObserveRequirements: ofRegistered(({ status, requirements }, { missing, readAt, at }) => {
    if (status !== 'incomplete') return [];
    if (requirements && requirements.readAt >= readAt) return [];
    if (requirements && sameTexts(requirements.missing, missing)) return [];
    return [{ type: 'RequirementsObserved', missing, readAt, at }];
  }),
  OfferSubscriptionLink: ofRegistered(({ linkOffered, status }, { at }) =>
    linkOffered || status !== 'incomplete' ? [] : [{ type: 'SubscriptionLinkAvailable', at }],
  ),
  RecordDocuments: ofRegistered(({ documents }, { type: _type, ...upload }) => {
    const ids = documents.map(({ documentId }) => documentId);
    if (upload.documentIds.every((id) => ids.includes(id))) return [];
    return [{ type: 'DocumentsUploaded', ...upload }];
  }),
  RecordDocumentRemoval: ofRegistered(({ documents }, { documentId, at }) => {
    const isThere = documents.some((document) => document.documentId === documentId);
    return isThere ? [{ type: 'DocumentRemoved', documentId, at }] : [];
  }),
  RequestKeys: ofRegistered(({ status, keysRequested }, { at }) =>
    status === 'available' && !keysRequested ? [{ type: 'CompanyKeysRequested', at }] : [],
  ),
  AttachAccount: ofRegistered(attachAccount),
  RequestTerminal: ofRegistered(requestTerminal),
  ObserveTerminalRejection: ofRegistered(rejectTerminal),
  ObserveTerminals: ofRegistered(observeTerminals),
  RequestTerminalCancel: ofRegistered(requestTerminalCancel),
  NoteUnknownOutcome: ofKnown((merchant, { call, at }) =>
    merchant.unknown.includes(call) || !isUnderWay(merchant, call)
      ? []
      : [{ type: 'CompanyRequestResultUnknown', request: call, at }],
  ),
  ReportSilence: ofKnown(reportSilence),
  ErasePersonalData: ofKnown(({ detailsRef }, { at }) =>
    detailsRef === null ? [] : [{ type: 'PersonalDataErased', at }],
  ),
  ReviewMismatches: ofKnown(reviewMismatches),
};

const decide = (merchant: Merchant, command: MerchantCommand): readonly MerchantEvent[] =>
  DECIDE[command.type](merchant, command as never);

export const merchantDecider: Decider<Merchant, MerchantCommand, MerchantEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
