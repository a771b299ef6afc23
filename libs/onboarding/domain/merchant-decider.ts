import type { Decider } from '#kernel';
import { assert, Rejection } from '#kernel';
import type { MerchantCommand } from './merchant-command.js';
import type { MerchantEvent } from './merchant-event.js';
import { evolve } from './merchant-evolve.js';
import { isRegistered, type Merchant, type RegisteredMerchant } from './merchant.js';
import { observeCompany, openingOf } from './observe-company.js';
import {
  observeTerminals,
  rejectTerminal,
  requestTerminal,
  requestTerminalCancel,
} from './terminals.js';

type Command<T extends MerchantCommand['type']> = MerchantCommand & { type: T };
type Known = Exclude<Merchant, { status: 'none' }>;

const draft = (merchant: Merchant, command: Command<'DraftMerchant'>): MerchantEvent[] => {
  if (merchant.status !== 'none') {
    throw new Rejection('merchant_exists', 'a merchant with this id exists already');
  }
  const { type: _type, ...terms } = command;
  return [{ type: 'MerchantDrafted', ...terms }];
};

/** While a creation may be in progress its details are not certain. */
const revise = (merchant: Known, command: Command<'ReviseDetails'>): MerchantEvent[] => {
  if (merchant.status === 'requested') throw underWay();
  const { detailsRef, fields, at } = command;
  return [{ type: 'DetailsRevised', detailsRef, fields, at }];
};

const underWay = (): Rejection =>
  new Rejection(
    'registration_in_progress',
    'the company is being registered: try again when the merchant’s status shows the result',
  );

/**
 * At most one creation is in progress, also while its result is unknown: a second one could create
 * a second company.
 */
const requestRegistration = (merchant: Known, at: MerchantEvent['at']): MerchantEvent[] => {
  if (merchant.status !== 'draft' && merchant.status !== 'rejected') return [];
  // They were erased meanwhile: there is nothing left to register.
  if (merchant.detailsRef === null) return [];
  return [{ type: 'RegistrationRequested', detailsRef: merchant.detailsRef, at }];
};

const settledCreation = (merchant: Known, at: MerchantEvent['at']): MerchantEvent[] =>
  merchant.unknown.includes('create_company')
    ? [{ type: 'CompanyRequestResultResolved', request: 'create_company', at }]
    : [];

/** No draft has requested a company yet, except one that was confirmed absent. */
const assertRequested = (merchant: Known): void =>
  assert(
    merchant.status !== 'draft' || merchant.attemptedAt !== null,
    'a registration with a result was requested',
  );

const rejectRegistration = (
  merchant: Known,
  { reason, fields, at }: Command<'ObserveRegistrationRejection'>,
): MerchantEvent[] => {
  assertRequested(merchant);
  if (merchant.status !== 'requested') return [];
  return [{ type: 'RegistrationRejected', reason, fields, at }, ...settledCreation(merchant, at)];
};

/** An operator's confirmation is accepted for an unknown result only. */
const settleAbsent = (merchant: Known, at: MerchantEvent['at']): MerchantEvent[] => {
  assertRequested(merchant);
  if (merchant.status !== 'requested') return [];
  if (!merchant.unknown.includes('create_company')) throw underWay();
  return [{ type: 'RegistrationNotFound', at }, ...settledCreation(merchant, at)];
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

const reviewMismatches = ({ mismatched }: Known, at: MerchantEvent['at']): MerchantEvent[] => {
  if (!mismatched)
    throw new Rejection('no_mismatch', 'the merchant has no status mismatch to review');
  return [{ type: 'CompanyMismatchesReviewed', at }];
};

type CompanyCommand = Command<
  | 'ObserveRequirements'
  | 'OfferSubscriptionLink'
  | 'RecordDocuments'
  | 'RecordDocumentRemoval'
  | 'RequestKeys'
  | 'AttachAccount'
>;

const attachAccount = (
  merchant: RegisteredMerchant,
  command: Command<'AttachAccount'>,
): readonly MerchantEvent[] => {
  const { accountId, mode, readAt, at } = command;
  const known = merchant.accounts.find((account) => account.mode === mode);
  // Keys end with the contract (completion); and a key that was read before is not new.
  if (merchant.status === 'closed' || (known && known.readAt >= readAt)) return [];
  const attached = { type: 'AccountAttached', accountId, mode, readAt, at } as const;
  return [attached, ...openingOf(evolve(merchant, attached), at)];
};

const decideCompany = (
  merchant: RegisteredMerchant,
  command: CompanyCommand,
): readonly MerchantEvent[] => {
  const { at } = command;
  switch (command.type) {
    case 'ObserveRequirements': {
      const { missing, readAt } = command;
      const { requirements } = merchant;
      if (requirements && requirements.readAt >= readAt) return [];
      if (requirements && sameTexts(requirements.missing, missing)) return [];
      return [{ type: 'RequirementsObserved', missing, readAt, at }];
    }
    case 'OfferSubscriptionLink':
      return merchant.linkOffered || merchant.status !== 'incomplete'
        ? []
        : [{ type: 'SubscriptionLinkAvailable', at }];
    case 'RecordDocuments': {
      const { type: _type, ...upload } = command;
      const ids = merchant.documents.map(({ documentId }) => documentId);
      if (upload.documentIds.every((id) => ids.includes(id))) return [];
      return [{ type: 'DocumentsUploaded', ...upload }];
    }
    case 'RecordDocumentRemoval': {
      const { documentId } = command;
      const isThere = merchant.documents.some((document) => document.documentId === documentId);
      return isThere ? [{ type: 'DocumentRemoved', documentId, at }] : [];
    }
    case 'RequestKeys': {
      const { status, keysRequested, accounts } = merchant;
      const areDue = status === 'available' && !keysRequested && accounts.length === 0;
      return areDue ? [{ type: 'CompanyKeysRequested', at }] : [];
    }
    case 'AttachAccount':
      return attachAccount(merchant, command);
  }
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

const decide = (merchant: Merchant, command: MerchantCommand): readonly MerchantEvent[] => {
  switch (command.type) {
    case 'DraftMerchant':
      return draft(merchant, command);
    case 'ReviseDetails':
      return revise(known(merchant), command);
    case 'RequestRegistration':
      return requestRegistration(known(merchant), command.at);
    case 'ObserveRegistrationRejection':
      return rejectRegistration(known(merchant), command);
    case 'SettleRegistrationAbsent':
      return settleAbsent(known(merchant), command.at);
    case 'ObserveCompanyStatus':
      return observeCompany(known(merchant), command);
    case 'ObserveRequirements':
    case 'OfferSubscriptionLink':
    case 'RecordDocuments':
    case 'RecordDocumentRemoval':
    case 'RequestKeys':
    case 'AttachAccount':
      return decideCompany(registered(merchant), command);
    case 'RequestTerminal':
      return requestTerminal(registered(merchant), command);
    case 'ObserveTerminalRejection':
      return rejectTerminal(registered(merchant), command);
    case 'ObserveTerminals':
      return observeTerminals(registered(merchant), command);
    case 'RequestTerminalCancel':
      return requestTerminalCancel(registered(merchant), command);
    case 'NoteUnknownOutcome': {
      const { call, at } = command;
      const { unknown } = known(merchant);
      if (unknown.includes(call) || !isUnderWay(known(merchant), call)) return [];
      return [{ type: 'CompanyRequestResultUnknown', request: call, at }];
    }
    case 'ReportSilence':
      return reportSilence(known(merchant), command);
    case 'ErasePersonalData':
      return known(merchant).detailsRef === null
        ? []
        : [{ type: 'PersonalDataErased', at: command.at }];
    case 'ReviewMismatches':
      return reviewMismatches(known(merchant), command.at);
  }
};

export const merchantDecider: Decider<Merchant, MerchantCommand, MerchantEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
