import type { EventOf, Sentences } from '../../../story/sentence';
import { merchants } from '../merchants';
import { callOf } from '../preview-texts';
import { mismatch } from './mismatch';

const documentOf = (kind: string): string => merchants.requirements[`documents.${kind}`] ?? kind;

export const merchantSentences: Sentences<EventOf<'merchant'>> = {
  MerchantDrafted: ({ reference, mode }, { by }) =>
    `Created the merchant ${reference} as a ${mode} draft${by}`,
  DetailsRevised: ({ fields }, { requirement, by }) =>
    `Changed the details ${fields.map(requirement).join(', ')}${by}`,
  RegistrationRequested: (_, { by }) =>
    `Requested the registration of the company from the provider${by}`,
  RegistrationRejected: ({ reason, fields }, { requirement, reason: text }) =>
    reason === 'details_erased'
      ? 'The company was not registered: the personal data of the merchant were erased before'
      : `The provider rejected the registration: ${text(reason)}` +
        (fields.length === 0 ? '' : `, because of: ${fields.map(requirement).join(', ')}`),
  RegistrationNotFound: (_, { by }) =>
    `Confirmed that the provider has no company of this registration${by}`,
  CompanyRegistered: ({ companyId }) => `The provider registered the company ${companyId}`,
  CompanyAccountObserved: ({ companyAccountId }) =>
    `Found the company’s account ${companyAccountId} at the provider`,
  CompanyStatusChanged: ({ status: to }, { status }) => `Status of the company: ${status(to)}`,
  CompanyStatusConfirmed: ({ status: to }, { status }) =>
    `A later read from the provider confirmed the company’s status: ${status(to)}`,
  EarlierStatusObserved: ({ status: to, day: of }, { status, day }) =>
    `Recorded later: the company’s status was ${status(to)} on ${day(of)}`,
  RequirementsObserved: ({ missing }, { requirement }) =>
    missing.length === 0
      ? 'The registration is complete'
      : `The registration lacks: ${missing.map(requirement).join(', ')}`,
  SubscriptionLinkAvailable: 'The merchant can review and sign the contract',
  DocumentsUploaded: ({ kind, documentIds, replaces }, { by }) =>
    `${replaces ? 'Replaced' : 'Uploaded'} a document: ${documentOf(kind)} ` +
    `(${documentIds.length} ${documentIds.length === 1 ? 'file' : 'files'})${by}`,
  DocumentRemoved: ({ documentId }, { by }) => `Removed the document ${documentId}${by}`,
  CompanyKeysRequested: 'Requested the company’s API keys from the provider',
  AccountAttached: ({ accountId, mode }) =>
    `Attached the ${mode} provider account ${accountId} to the merchant`,
  MerchantEnabled: 'The merchant accepts orders',
  MerchantDisabled: ({ reason }, { status }) =>
    `The merchant accepts no new orders: its company’s status is ${status(reason)}`,
  TerminalRequested: ({ name }, { by }) => `Requested the payment terminal ${name}${by}`,
  TerminalOrdered: ({ terminalId }) => `The provider accepted the order of terminal ${terminalId}`,
  TerminalOrderRejected: ({ reason }, say) =>
    `The provider rejected the order of the payment terminal: ${say.reason(reason)}`,
  TerminalObserved: ({ name, status: shown, carrierName }) =>
    `Status of the payment terminal ${name}: ${shown}` +
    (carrierName === null ? '' : `, delivered by ${carrierName}`),
  TerminalCancelRequested: ({ terminalId }, { by }) =>
    `Requested the cancellation of the payment terminal ${terminalId}${by}`,
  CompanyRequestResultUnknown: ({ request }) =>
    `The provider did not respond to the ${callOf(request)}: its result is unknown`,
  CompanyRequestResultResolved: ({ request }) =>
    `A read from the provider showed the result of the ${callOf(request)}`,
  CompanyStatusOverdue: ({ status: since }, { status }) =>
    `The company’s status has not changed for too long: ${status(since)}`,
  PersonalDataErased: 'Erased the personal data of the merchant in this system',
  CompanyMismatchObserved: mismatch,
  CompanyMismatchesReviewed: (_, { by }) => `Reviewed the status mismatches${by}`,
};
