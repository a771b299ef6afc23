import { type Instant, parseInstant } from '#kernel';
import { examplesOf, type LaterCommands, scenario } from '#testing';
import type { MerchantCommand } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantEvent } from './merchant-event.js';

const given = scenario(merchantDecider);
const at: Instant = parseInstant('2026-03-02T10:00:00Z');

const LATER: LaterCommands<MerchantCommand, 'DraftMerchant'> = {
  ReviseDetails: [{ type: 'ReviseDetails', detailsRef: 'det_2', fields: ['payoutAccount'], at }],
  RequestRegistration: [{ type: 'RequestRegistration', at }],
  ObserveRegistrationRejection: [
    { type: 'ObserveRegistrationRejection', reason: 'email_unavailable', fields: [], at },
  ],
  ResolveRegistrationAbsent: [{ type: 'ResolveRegistrationAbsent', at }],
  ObserveCompanyStatus: [
    {
      type: 'ObserveCompanyStatus',
      at,
      observation: {
        companyId: 'comp_1',
        companyAccountId: null,
        status: 'incomplete',
        terminatedByProvider: null,
        seen: { source: 'read', readAt: at },
      },
    },
  ],
  ObserveRequirements: [
    { type: 'ObserveRequirements', missing: ['payoutAccount.iban'], readAt: at, at },
  ],
  OfferSubscriptionLink: [{ type: 'OfferSubscriptionLink', at }],
  RecordDocuments: [
    {
      type: 'RecordDocuments',
      kind: 'identity_card',
      personId: 'pers_1',
      documentIds: ['dcmt_1'],
      replaces: false,
      at,
    },
  ],
  RecordDocumentRemoval: [{ type: 'RecordDocumentRemoval', documentId: 'dcmt_1', at }],
  RequestKeys: [{ type: 'RequestKeys', at }],
  AttachAccount: [{ type: 'AttachAccount', accountId: 'acc_1', mode: 'test', readAt: at, at }],
  RequestTerminal: [
    { type: 'RequestTerminal', requestId: 'req_1', name: 'Counter', by: 'policy', at },
    { type: 'RequestTerminal', requestId: 'req_1', name: 'Counter', by: 'platform', at },
  ],
  ObserveTerminalRejection: [
    { type: 'ObserveTerminalRejection', requestId: 'req_1', reason: 'not_allowed', at },
  ],
  ObserveTerminals: [{ type: 'ObserveTerminals', terminals: [], readAt: at, at }],
  RequestTerminalCancel: [{ type: 'RequestTerminalCancel', terminalId: 'term_1', at }],
  NoteUnknownOutcome: [
    { type: 'NoteUnknownOutcome', call: 'create_company', at },
    { type: 'NoteUnknownOutcome', call: 'order_terminal', at },
  ],
  ReportSilence: [{ type: 'ReportSilence', status: 'requested', at }],
  ErasePersonalData: [{ type: 'ErasePersonalData', at }],
  ReviewMismatches: [{ type: 'ReviewMismatches', at }],
};

test.each(examplesOf<MerchantCommand>(LATER))(
  'the command $type is rejected for a merchant that was never drafted',
  (command) => given().when(command).thenRejected('merchant_not_found'),
);

describe('a registration', () => {
  const drafted: MerchantEvent = {
    type: 'MerchantDrafted',
    platformId: 'shop',
    reference: 'M-1',
    mode: 'test',
    firstTerminal: null,
    detailsRef: 'det_1',
    at,
  };

  test.each<MerchantCommand>([
    { type: 'ObserveRegistrationRejection', reason: 'email_unavailable', fields: [], at },
    { type: 'ResolveRegistrationAbsent', at },
  ])('cannot have a result before it was requested: the command $type fails', (command) => {
    expect(() => given(drafted).when(command)).toThrow('was requested');
  });

  test('is not changed by a second confirmation that the provider has no company for the registration', () => {
    const requested: MerchantEvent = { type: 'RegistrationRequested', detailsRef: 'det_1', at };
    const absent: MerchantEvent = { type: 'RegistrationNotFound', at };
    given(drafted, requested, absent).when({ type: 'ResolveRegistrationAbsent', at }).thenNothing();
  });
});
