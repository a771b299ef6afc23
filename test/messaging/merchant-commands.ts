import fc from 'fast-check';
import { type Instant, plusMs } from '#kernel';
import type { MerchantCommand } from '#onboarding';
import { parseDay } from '#onboarding';

const start = '2026-03-01T12:00:00.000Z' as Instant;
const text = fc.constantFrom('a', 'some text');
const optional = fc.option(text, { nil: null });
const moment = fc.integer({ min: 0, max: 4 }).map((days) => plusMs(start, days * 86_400_000));
const at = start;

export const draftMerchant: fc.Arbitrary<MerchantCommand> = fc.record({
  type: fc.constant('DraftMerchant' as const),
  platformId: text,
  reference: text,
  mode: fc.constantFrom('test' as const, 'live' as const),
  firstTerminal: optional,
  detailsRef: fc.constant('det_1'),
  at: fc.constant(at),
});

const seen = fc.oneof(
  fc.record({
    source: fc.constant('history' as const),
    day: fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-03').map(parseDay),
    readAt: moment,
  }),
  fc.record({ source: fc.constantFrom('read' as const, 'response' as const), readAt: moment }),
);

const observe: fc.Arbitrary<MerchantCommand> = fc
  .record({
    companyId: fc.constantFrom('comp_1', 'comp_1', 'comp_1', 'comp_1', 'comp_2'),
    companyAccountId: fc.constantFrom('acct_1', null),
    status: fc.constantFrom(
      'incomplete',
      'validated',
      'available',
      'available',
      'closed',
      'unheard_of',
    ),
    terminatedByProvider: fc.constantFrom(true, false, null),
    seen,
  })
  .map((observation) => ({ type: 'ObserveCompanyStatus', observation, at }));

const terminals: fc.Arbitrary<MerchantCommand> = fc.record({
  type: fc.constant('ObserveTerminals' as const),
  terminals: fc.uniqueArray(
    fc.record({
      terminalId: fc.constantFrom('term_1', 'term_2'),
      name: fc.constant('till'),
      status: fc.constantFrom('pending', 'shipped'),
      carrierName: optional,
      trackingUrl: optional,
    }),
    { maxLength: 2, selector: ({ terminalId }) => terminalId },
  ),
  readAt: moment,
  at: fc.constant(at),
});

const requestTerminal = {
  type: 'RequestTerminal',
  requestId: 'trq_1',
  name: 'till',
  by: 'platform',
  at,
} as const;

/** Random commands of a merchant, including commands that record observations of the provider. */
export const merchantCommand: fc.Arbitrary<MerchantCommand> = fc.oneof(
  { weight: 6, arbitrary: observe },
  { weight: 2, arbitrary: terminals },
  {
    weight: 6,
    arbitrary: fc.constantFrom<MerchantCommand>(
      { type: 'ReviseDetails', detailsRef: 'det_2', fields: ['payoutAccount'], at },
      { type: 'RequestRegistration', at },
      { type: 'RequestRegistration', at },
      {
        type: 'ObserveRegistrationRejection',
        reason: 'email-unavailable',
        fields: ['user.contact.email'],
        at,
      },
      { type: 'ResolveRegistrationAbsent', at },
      { type: 'ObserveRequirements', missing: ['documents.registration_extract'], readAt: at, at },
      { type: 'OfferSubscriptionLink', at },
      {
        type: 'RecordDocuments',
        kind: 'identity_card',
        personId: 'pers_1',
        documentIds: ['dcmt_1'],
        replaces: false,
        at,
      },
      { type: 'RecordDocumentRemoval', documentId: 'dcmt_1', at },
      { type: 'RequestKeys', at },
      { type: 'AttachAccount', accountId: 'acc_1', mode: 'test', readAt: at, at },
      requestTerminal,
      { type: 'ObserveTerminalRejection', requestId: 'trq_1', reason: 'not-allowed', at },
      { type: 'RequestTerminalCancel', terminalId: 'term_1', at },
      { type: 'NoteUnknownOutcome', call: 'create_company', at },
      { type: 'NoteUnknownOutcome', call: 'order_terminal', at },
      { type: 'ReportSilence', status: 'incomplete', at },
      { type: 'ErasePersonalData', at },
      { type: 'ReviewMismatches', at },
      { type: 'ReviewMismatches', at },
    ),
  },
);
