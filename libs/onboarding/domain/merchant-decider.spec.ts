import { fold, type Instant, parseInstant } from '#kernel';
import { scenario } from '#testing';
import type { CompanyStatus } from './company-status.js';
import type { CompanyObservation, MerchantCommand } from './merchant-command.js';
import { merchantDecider } from './merchant-decider.js';
import type { MerchantEvent, MerchantTerms, ObservedTerminal } from './merchant-event.js';
import { isRegistered } from './merchant.js';
import { parseDay } from './paris-day.js';
import { changesOf, type ObservationSource } from './status-observation.js';

const given = scenario(merchantDecider);

const at: Instant = parseInstant('2026-03-02T10:00:00Z');
const now: Instant = parseInstant('2026-03-05T10:00:00Z');

const terms: MerchantTerms = {
  platformId: 'shop',
  reference: 'M-1',
  mode: 'test',
  firstTerminal: null,
};
const drafted: MerchantEvent = { type: 'MerchantDrafted', ...terms, detailsRef: 'det_1', at };
const requested: MerchantEvent = { type: 'RegistrationRequested', detailsRef: 'det_1', at };
const unknown: MerchantEvent = {
  type: 'CompanyRequestResultUnknown',
  request: 'create_company',
  at,
};
const settled: MerchantEvent = {
  type: 'CompanyRequestResultResolved',
  request: 'create_company',
  at: now,
};
const rejected: MerchantEvent = {
  type: 'RegistrationRejected',
  reason: 'email_unavailable',
  fields: ['user.contact.email'],
  at,
};
const absent: MerchantEvent = { type: 'RegistrationNotFound', at };
const registered: MerchantEvent = { type: 'CompanyRegistered', companyId: 'comp_1', at: now };
const accountFound: MerchantEvent = {
  type: 'CompanyAccountObserved',
  companyAccountId: 'acct_1',
  at: now,
};

const statusEvent = (
  type: 'CompanyStatusChanged' | 'CompanyStatusConfirmed' | 'EarlierStatusObserved',
  status: CompanyStatus,
  day: string,
  readAt = `${day}T10:00:00Z`,
  source: ObservationSource = 'read',
  terminatedByProvider: boolean | null = null,
): MerchantEvent => ({
  type,
  day: parseDay(day),
  status,
  terminatedByProvider,
  source,
  readAt: parseInstant(readAt),
  at: now,
});
const changed = (...about: [CompanyStatus, string, string?, ObservationSource?]): MerchantEvent =>
  statusEvent('CompanyStatusChanged', ...about);

const observe = (change: Partial<CompanyObservation>): MerchantCommand => ({
  type: 'ObserveCompanyStatus',
  observation: {
    companyId: 'comp_1',
    companyAccountId: null,
    status: 'incomplete',
    terminatedByProvider: null,
    seen: { source: 'read', readAt: now },
    ...change,
  },
  at: now,
});
const read = (status: string, readAt = '2026-03-05T10:00:00Z'): MerchantCommand =>
  observe({ status, seen: { source: 'read', readAt: parseInstant(readAt) } });
const row = (
  status: string,
  day: string,
  readAt = '2026-03-05T10:00:00Z',
  terminatedByProvider?: boolean,
): MerchantCommand =>
  observe({
    status,
    terminatedByProvider: terminatedByProvider ?? null,
    seen: { source: 'history', day: parseDay(day), readAt: parseInstant(readAt) },
  });

const existing = [drafted, requested, registered, accountFound];
const incomplete = [...existing, changed('incomplete', '2026-03-02')];
const available = [...incomplete, changed('available', '2026-03-04')];
const attached: MerchantEvent = {
  type: 'AccountAttached',
  accountId: 'acc_1',
  mode: 'test',
  readAt: parseInstant('2026-03-04T11:00:00Z'),
  at: now,
};
const opened: MerchantEvent = { type: 'MerchantEnabled', at: now };
const keysRequested: MerchantEvent = { type: 'CompanyKeysRequested', at: now };
const open = [...available, keysRequested, attached, opened];

const mismatch = (
  aspect: 'company' | 'account' | 'status' | 'day',
  expected: string,
  observed: string,
): MerchantEvent => ({ type: 'CompanyMismatchObserved', aspect, expected, observed, at: now });

const statusAfter = (...history: readonly MerchantEvent[]): string =>
  fold(merchantDecider, history).status;

describe("a merchant's draft", () => {
  const draft: MerchantCommand = { type: 'DraftMerchant', ...terms, detailsRef: 'det_1', at };

  test('is created once, and its event contains no personal data', () => {
    given().when(draft).then(drafted);
    given(drafted).when(draft).thenRejected('merchant_exists');
  });

  test('can be revised unless its registration is in progress', () => {
    const revise: MerchantCommand = {
      type: 'ReviseDetails',
      detailsRef: 'det_2',
      fields: ['payoutAccount'],
      at: now,
    };
    const revised: MerchantEvent = {
      type: 'DetailsRevised',
      detailsRef: 'det_2',
      fields: ['payoutAccount'],
      at: now,
    };
    given(drafted).when(revise).then(revised);
    given(drafted, requested).when(revise).thenRejected('registration_in_progress');
    given(drafted, requested, rejected).when(revise).then(revised);
    given(...existing)
      .when(revise)
      .then(revised);
  });

  test('whose personal data were erased can be registered only after new details were supplied', () => {
    const erase: MerchantCommand = { type: 'ErasePersonalData', at: now };
    const erased: MerchantEvent = { type: 'PersonalDataErased', at: now };
    given(drafted).when(erase).then(erased);
    given(drafted, erased).when(erase).thenNothing();
    given(drafted, erased).when({ type: 'RequestRegistration', at: now }).thenNothing();
    given(drafted, erased, { type: 'DetailsRevised', detailsRef: 'det_2', fields: [], at })
      .when({ type: 'RequestRegistration', at: now })
      .then({ type: 'RegistrationRequested', detailsRef: 'det_2', at: now });
  });

  test('must exist before the merchant can be registered or observed at the provider', () => {
    given().when({ type: 'RequestRegistration', at }).thenRejected('merchant_not_found');
    given().when(read('incomplete')).thenRejected('merchant_not_found');
  });
});

describe('a registration', () => {
  const request: MerchantCommand = { type: 'RequestRegistration', at };
  const note: MerchantCommand = { type: 'NoteUnknownOutcome', call: 'create_company', at };

  test('is requested from the provider only once', () => {
    given(drafted).when(request).then(requested);
    given(drafted, requested).when(request).thenNothing();
    given(...existing)
      .when(request)
      .thenNothing();
  });

  test('with an unknown result is recorded as unknown once, and is not requested again until the result is known', () => {
    given(drafted, requested).when(note).then(unknown);
    given(drafted, requested, unknown).when(note).thenNothing();
    given(drafted, requested, unknown).when(request).thenNothing();
    given(...existing)
      .when(note)
      .thenNothing();
  });

  test('with an unknown result is resolved when a read of the company or a row of the status history shows the company', () => {
    given(drafted, requested, unknown)
      .when(observe({ companyAccountId: 'acct_1' }))
      .then(registered, settled, accountFound, changed('incomplete', '2026-03-05'));
    given(drafted, requested, unknown)
      .when(row('incomplete', '2026-03-02'))
      .then(
        registered,
        settled,
        changed('incomplete', '2026-03-02', '2026-03-05T10:00:00Z', 'history'),
      );
  });

  test('that was refused can be corrected and requested again', () => {
    const refuse: MerchantCommand = {
      type: 'ObserveRegistrationRejection',
      reason: 'email_unavailable',
      fields: ['user.contact.email'],
      at,
    };
    given(drafted, requested).when(refuse).then(rejected);
    given(drafted, requested, unknown)
      .when(refuse)
      .then(rejected, { ...settled, at } as MerchantEvent);
    given(drafted, requested, rejected).when(request).then(requested);
    given(...existing)
      .when(refuse)
      .thenNothing();
  });

  test('can be confirmed by an operator to have created no company, but only while its result is unknown', () => {
    const settle: MerchantCommand = { type: 'ResolveRegistrationAbsent', at };
    given(drafted, requested).when(settle).thenRejected('registration_in_progress');
    given(drafted, requested, unknown)
      .when(settle)
      .then(absent, { ...settled, at } as MerchantEvent);
    given(drafted, requested, unknown, absent, settled).when(request).then(requested);
    given(...existing)
      .when(settle)
      .thenNothing();
  });

  test('uses a company that appears after an operator confirmed that no company exists, and creates no second company', () => {
    const history = [drafted, requested, unknown, absent, settled];
    given(...history)
      .when(read('incomplete'))
      .then(registered, changed('incomplete', '2026-03-05'));
    given(...history, registered)
      .when(request)
      .thenNothing();
  });

  test('records one mismatch if a company appears that was not requested or whose registration the provider refused', () => {
    given(drafted)
      .when(read('incomplete'))
      .then(mismatch('company', 'draft', 'comp_1'));
    const recorded = mismatch('company', 'rejected', 'comp_1');
    given(drafted, requested, rejected).when(read('incomplete')).then(recorded);
    given(drafted, requested, rejected, recorded).when(read('validated')).thenNothing();
  });
});

describe('the newest status observation of a company', () => {
  test('has the latest day of all observations', () => {
    given(...incomplete)
      .when(row('in_review', '2026-03-04'))
      .then(changed('in_review', '2026-03-04', '2026-03-05T10:00:00Z', 'history'));
  });

  test('is the one that was read last, if several observations have the same day', () => {
    const history = [...incomplete, changed('in_review', '2026-03-05')];
    given(...history)
      .when(read('validated', '2026-03-05T10:00:01Z'))
      .then(changed('validated', '2026-03-05', '2026-03-05T10:00:01Z'));
    given(...history)
      .when(read('validated', '2026-03-05T09:59:59Z'))
      .then(
        statusEvent('EarlierStatusObserved', 'validated', '2026-03-05', '2026-03-05T09:59:59Z'),
      );
  });

  test('determines the status even if it shows an earlier stage of the life cycle, as when a review is reopened', () => {
    given(...open)
      .when(row('in_review', '2026-03-05'))
      .then(changed('in_review', '2026-03-05', '2026-03-05T10:00:00Z', 'history'), {
        type: 'MerchantDisabled',
        reason: 'in_review',
        at: now,
      });
  });

  test('is recorded again when the same status is read later, so that an older observation that arrives late does not replace it', () => {
    const again = statusEvent(
      'CompanyStatusConfirmed',
      'available',
      '2026-03-05',
      '2026-03-05T12:00:00Z',
    );
    given(...available)
      .when(read('available', '2026-03-05T12:00:00Z'))
      .then(again);
    given(...available, again)
      .when(read('closing', '2026-03-05T11:00:00Z'))
      .then(statusEvent('EarlierStatusObserved', 'closing', '2026-03-05', '2026-03-05T11:00:00Z'));
  });

  test('can be a GET of the company, which counts as newer than history rows of earlier days, even if these rows are read later', () => {
    const history = [...incomplete, changed('available', '2026-03-05')];
    given(...history)
      .when(row('closing', '2026-03-04', '2026-03-05T11:00:00Z', false))
      .then(
        statusEvent(
          'EarlierStatusObserved',
          'closing',
          '2026-03-04',
          '2026-03-05T11:00:00Z',
          'history',
          false,
        ),
      );
  });
});

describe('an observation of a status that is already known', () => {
  test('changes nothing', () => {
    const recorded = changed('available', '2026-03-04', '2026-03-05T10:00:00Z', 'history');
    given(...incomplete, recorded)
      .when(row('available', '2026-03-04'))
      .thenNothing();
    given(...incomplete)
      .when(read('incomplete', '2026-03-02T10:00:00Z'))
      .thenNothing();
  });

  test('is not recorded if the observations before and after it show the same status', () => {
    const history = [...available, changed('available', '2026-03-05')];
    given(...history)
      .when(read('available', '2026-03-04T20:00:00Z'))
      .then(
        statusEvent('EarlierStatusObserved', 'available', '2026-03-04', '2026-03-04T20:00:00Z'),
      );
    const later = statusEvent(
      'CompanyStatusConfirmed',
      'available',
      '2026-03-09',
      '2026-03-09T10:00:00Z',
    );
    given(...available, later)
      .when(read('available', '2026-03-07T10:00:00Z'))
      .thenNothing();
  });

  test('is recorded if it is the first to show who ended the contract', () => {
    const recorded = statusEvent(
      'CompanyStatusChanged',
      'closed',
      '2026-03-05',
      '2026-03-05T10:00:00Z',
      'history',
      true,
    );
    given(...incomplete)
      .when(row('closed', '2026-03-05', '2026-03-05T10:00:00Z', true))
      .then(recorded);
    const merchant = fold(merchantDecider, [...incomplete, recorded]);
    expect(
      isRegistered(merchant) && changesOf(merchant.statusObservations).at(-1)?.terminatedByProvider,
    ).toBe(true);
  });
});

describe('a status mismatch of a company', () => {
  test('is recorded once if an observation shows a different company or account; the observed status is ignored', () => {
    given(...open)
      .when(observe({ companyId: 'comp_2', status: 'closed' }))
      .then(mismatch('company', 'comp_1', 'comp_2'));
    given(...available)
      .when(
        observe({
          companyAccountId: 'acct_2',
          status: 'available',
          seen: { source: 'read', readAt: parseInstant('2026-03-04T10:00:00Z') },
        }),
      )
      .then(mismatch('account', 'acct_1', 'acct_2'));
  });

  test('is recorded for an unknown status, which changes nothing else', () => {
    const recorded = mismatch('status', 'available', 'onHoliday');
    given(...open)
      .when(read('onHoliday'))
      .then(recorded);
    given(...open, recorded)
      .when(read('onHoliday'))
      .thenNothing();
  });

  test('is recorded if the status has a day in the future; the status is then recorded with the day of the read', () => {
    const ahead = changed('validated', '2026-03-06', '2026-03-05T22:59:59Z', 'history');
    given(...incomplete)
      .when(row('validated', '2026-03-06', '2026-03-05T22:59:59Z'))
      .then(mismatch('day', '2026-03-05', '2026-03-06'), ahead);
    expect(
      statusAfter(
        ...incomplete,
        ahead,
        changed('incomplete', '2026-03-05', '2026-03-05T22:59:59.500Z'),
      ),
    ).toBe('incomplete');
  });

  test('is recorded for a contract that reappears after its end, and the merchant takes the new status', () => {
    const ended = [...incomplete, changed('closed', '2026-03-04')];
    given(...ended)
      .when(read('available'))
      .then(mismatch('status', 'closed', 'available'), changed('available', '2026-03-05'));
    given(...ended)
      .when(row('available', '2026-03-03'))
      .then(
        statusEvent(
          'EarlierStatusObserved',
          'available',
          '2026-03-03',
          '2026-03-05T10:00:00Z',
          'history',
        ),
      );
  });

  test('is recorded again when an ended contract becomes active, ends again and becomes active once more', () => {
    const odd = mismatch('status', 'closed', 'available');
    const reviewed: MerchantEvent = { type: 'CompanyMismatchesReviewed', at: now };
    const revived = [
      ...incomplete,
      changed('closed', '2026-03-04'),
      odd,
      changed('available', '2026-03-05'),
      reviewed,
    ];
    given(...revived, changed('closed', '2026-03-09'))
      .when(read('available', '2026-03-10T10:00:00Z'))
      .then(odd, changed('available', '2026-03-10'));
  });
});

describe('a merchant with a registered company', () => {
  const requestKeys: MerchantCommand = { type: 'RequestKeys', at: now };
  const attach: MerchantCommand = {
    type: 'AttachAccount',
    accountId: 'acc_1',
    mode: 'test',
    readAt: parseInstant('2026-03-04T11:00:00Z'),
    at: now,
  };

  test('has its API keys requested once, when the company becomes available', () => {
    given(...available)
      .when(requestKeys)
      .then(keysRequested);
    given(...available, keysRequested)
      .when(requestKeys)
      .thenNothing();
    given(...open)
      .when(requestKeys)
      .thenNothing();
    given(...incomplete)
      .when(requestKeys)
      .thenNothing();
  });

  test('accepts orders when the company is available and its API keys are stored', () => {
    given(...available, keysRequested)
      .when(attach)
      .then(attached, opened);
    given(...incomplete, attached)
      .when(row('available', '2026-03-05'))
      .then(changed('available', '2026-03-05', '2026-03-05T10:00:00Z', 'history'), opened);
    given(...open)
      .when(attach)
      .thenNothing();
  });

  test.each(['closing', 'closed'] as const)(
    'accepts no new orders when the company has the status %s',
    (status) => {
      given(...open)
        .when(row(status, '2026-03-05', '2026-03-05T10:00:00Z', false))
        .then(
          statusEvent(
            'CompanyStatusChanged',
            status,
            '2026-03-05',
            '2026-03-05T10:00:00Z',
            'history',
            false,
          ),
          { type: 'MerchantDisabled', reason: status, at: now },
        );
    },
  );

  test('loses its API keys at the end of the contract, so that new keys are requested for a new contract', () => {
    const closed: MerchantEvent = { type: 'MerchantDisabled', reason: 'closed', at: now };
    const ended = [...open, changed('closed', '2026-03-05'), closed];
    given(...ended)
      .when(attach)
      .thenNothing();
    given(...ended, changed('available', '2026-03-06'))
      .when(requestKeys)
      .then(keysRequested);
  });

  test('loses only the API keys that were read before the end of the contract, even if the end is observed later', () => {
    const late = (day: string): MerchantEvent[] => [
      statusEvent('EarlierStatusObserved', 'closed', day, '2026-03-05T10:00:00Z', 'history'),
    ];
    const again = changed('available', '2026-03-07');
    given(...open, again, ...late('2026-03-05'))
      .when(requestKeys)
      .then(keysRequested);
    given(...open, again, ...late('2026-03-03'))
      .when(requestKeys)
      .thenNothing();
  });

  test('has its API keys requested again when the company is available again, because the contract may have ended unseen', () => {
    const back = [
      ...open,
      changed('closing', '2026-03-05'),
      { type: 'MerchantDisabled', reason: 'closing', at: now } as const,
      changed('available', '2026-03-06'),
      opened,
    ];
    given(...back)
      .when(requestKeys)
      .then(keysRequested);
    given(...back, keysRequested)
      .when(requestKeys)
      .thenNothing();
  });

  test('has its API keys requested again after a new row `available` of the day of their read or later, because the contract may have ended on that day', () => {
    const confirmed = (day: string, source: ObservationSource) =>
      statusEvent('CompanyStatusConfirmed', 'available', day, `${day}T11:30:00Z`, source);
    const earlier = confirmed('2026-03-02', 'history');
    for (const day of ['2026-03-04', '2026-03-06']) {
      given(...open, earlier, confirmed(day, 'history'))
        .when(requestKeys)
        .then(keysRequested);
      given(...open, earlier, confirmed(day, 'history'), keysRequested, confirmed(day, 'history'))
        .when(requestKeys)
        .thenNothing();
    }
    given(...open, confirmed('2026-03-03', 'history'))
      .when(requestKeys)
      .thenNothing();
    given(...open, confirmed('2026-03-06', 'read'))
      .when(requestKeys)
      .thenNothing();
  });

  test('accepts orders again when the company is available again after a reopened review', () => {
    const back = [
      ...open,
      changed('validated', '2026-03-05'),
      { type: 'MerchantDisabled', reason: 'validated', at: now } as const,
    ];
    given(...back)
      .when(row('available', '2026-03-06', '2026-03-06T10:00:00Z'))
      .then(changed('available', '2026-03-06', '2026-03-06T10:00:00Z', 'history'), opened);
  });
});

describe('recorded status mismatches of a company', () => {
  const review: MerchantCommand = { type: 'ReviewMismatches', at: now };
  const reviewed: MerchantEvent = { type: 'CompanyMismatchesReviewed', at: now };
  const odd = mismatch('status', 'available', 'asleep');

  test('need attention until an operator has reviewed them, and are not recorded again afterwards', () => {
    given(...open)
      .when(review)
      .thenRejected('no_mismatch');
    given(...open, odd)
      .when(review)
      .then(reviewed);
    given(...open, odd, reviewed)
      .when(review)
      .thenRejected('no_mismatch');
    given(...open, odd, reviewed)
      .when(observe({ status: 'asleep' }))
      .thenNothing();
    given(...open, odd, reviewed, mismatch('account', 'acct_1', 'acct_2'))
      .when(review)
      .then(reviewed);
  });
});

describe('documents', () => {
  const record = (documentIds: string[], replaces = false): MerchantCommand => ({
    type: 'RecordDocuments',
    kind: 'registration_extract',
    personId: null,
    documentIds,
    replaces,
    at: now,
  });
  const uploaded = (documentIds: string[], replaces = false): MerchantEvent => ({
    type: 'DocumentsUploaded',
    kind: 'registration_extract',
    personId: null,
    documentIds,
    replaces,
    at: now,
  });

  test('are recorded by their ids, each document once', () => {
    given(...incomplete)
      .when(record(['dcmt_1']))
      .then(uploaded(['dcmt_1']));
    given(...incomplete, uploaded(['dcmt_1']))
      .when(record(['dcmt_1']))
      .thenNothing();
    given(drafted)
      .when(record(['dcmt_1']))
      .thenRejected('merchant_not_registered');
  });

  test('replace earlier documents of the same kind and person if requested, and can be removed', () => {
    const card: MerchantEvent = {
      type: 'DocumentsUploaded',
      kind: 'identity_card',
      personId: 'pers_1',
      documentIds: ['dcmt_8', 'dcmt_9'],
      replaces: false,
      at,
    };
    const merchant = fold(merchantDecider, [
      ...incomplete,
      uploaded(['dcmt_1']),
      card,
      uploaded(['dcmt_2'], true),
      { type: 'DocumentRemoved', documentId: 'dcmt_9', at },
    ]);
    expect(merchant).toMatchObject({
      documents: [
        { documentId: 'dcmt_8', kind: 'identity_card' },
        { documentId: 'dcmt_2', kind: 'registration_extract' },
      ],
    });
    given(...incomplete)
      .when({ type: 'RecordDocumentRemoval', documentId: 'dcmt_1', at: now })
      .thenNothing();
  });
});

describe('the missing items of a registration', () => {
  const observeMissing = (missing: string[], readAt: Instant): MerchantCommand => ({
    type: 'ObserveRequirements',
    missing,
    readAt,
    at: now,
  });
  const readAt = parseInstant('2026-03-02T11:00:00Z');
  const recorded: MerchantEvent = {
    type: 'RequirementsObserved',
    missing: ['registration_extract'],
    readAt: at,
    at: now,
  };

  test('are recorded when they change, but not if the read is older than the latest recorded read', () => {
    given(...incomplete)
      .when(observeMissing(['registration_extract'], at))
      .then(recorded);
    given(...incomplete, recorded)
      .when(observeMissing(['registration_extract'], now))
      .thenNothing();
    given(...incomplete, recorded)
      .when(observeMissing([], now))
      .then({ type: 'RequirementsObserved', missing: [], readAt: now, at: now });
    given(...incomplete, recorded)
      .when(observeMissing([], parseInstant('2026-03-02T09:59:59Z')))
      .thenNothing();
  });

  test('end when the contract is signed, until the registration is incomplete again', () => {
    const read: MerchantEvent = {
      type: 'RequirementsObserved',
      missing: ['signature'],
      readAt,
      at,
    };
    const signed = statusEvent('CompanyStatusChanged', 'in_review', '2026-03-03', now, 'history');
    const requirementsAfter = (...more: readonly MerchantEvent[]): unknown => {
      const merchant = fold(merchantDecider, [...incomplete, read, ...more]);
      return isRegistered(merchant) ? merchant.requirements : null;
    };
    expect(requirementsAfter()).toEqual({ missing: ['signature'], readAt });
    expect(requirementsAfter(signed)).toEqual({ missing: [], readAt: now });
    // Earlier releases recorded reads after the signature.
    const late = { ...read, readAt: parseInstant('2026-03-06T10:00:00Z') };
    expect(requirementsAfter(signed, late)).toEqual({ missing: [], readAt: now });
    given(...incomplete, read, signed)
      .when(observeMissing(['signature'], late.readAt))
      .thenNothing();
    const reopened = statusEvent('CompanyStatusChanged', 'incomplete', '2026-03-06');
    expect(requirementsAfter(signed, reopened)).toBeNull();
    expect(requirementsAfter(signed, reopened, late)).toEqual({
      missing: ['signature'],
      readAt: late.readAt,
    });
  });

  test('publish the signature link only once, even if several reads show that the signature is missing', () => {
    const offer: MerchantCommand = { type: 'OfferSubscriptionLink', at: now };
    const offered: MerchantEvent = { type: 'SubscriptionLinkAvailable', at: now };
    given(...incomplete)
      .when(offer)
      .then(offered);
    given(...incomplete, offered)
      .when(offer)
      .thenNothing();
    given(...available)
      .when(offer)
      .thenNothing();
  });
});

describe('terminals', () => {
  const order = (by: 'policy' | 'platform', requestId = 'req_1'): MerchantCommand => ({
    type: 'RequestTerminal',
    requestId,
    name: 'Counter',
    by,
    at: now,
  });
  const asked: MerchantEvent = {
    type: 'TerminalRequested',
    requestId: 'req_1',
    name: 'Counter',
    knownTerminalIds: [],
    at: now,
  };
  const terminal = (change: Partial<ObservedTerminal> = {}): ObservedTerminal => ({
    terminalId: 'term_1',
    name: 'Counter',
    status: 'pending',
    carrierName: null,
    trackingUrl: null,
    ...change,
  });
  const list = (...terminals: ObservedTerminal[]): MerchantCommand => ({
    type: 'ObserveTerminals',
    terminals,
    readAt: now,
    at: now,
  });
  const seen = (change: Partial<ObservedTerminal> = {}, readAt = at): MerchantEvent => ({
    type: 'TerminalObserved',
    ...terminal(change),
    readAt,
    at: now,
  });
  const ordered: MerchantEvent = {
    type: 'TerminalOrdered',
    requestId: 'req_1',
    terminalId: 'term_1',
    at: now,
  };

  test('can be ordered when the company is validated or available', () => {
    given(...available)
      .when(order('platform'))
      .then(asked);
    given(...incomplete)
      .when(order('platform'))
      .thenRejected('merchant_not_validated');
    given(...incomplete)
      .when(order('policy'))
      .thenNothing();
  });

  test('are ordered one at a time; the automatic order of the first terminal is made only once', () => {
    given(...available, asked)
      .when(order('platform'))
      .thenNothing();
    given(...available, asked)
      .when(order('platform', 'req_2'))
      .thenRejected('terminal_order_in_progress');
    given(...available, asked, ordered, seen())
      .when(order('policy', 'req_2'))
      .thenNothing();
    given(...available, asked, ordered, seen())
      .when(order('platform', 'req_2'))
      .then({
        type: 'TerminalRequested',
        requestId: 'req_2',
        name: 'Counter',
        knownTerminalIds: ['term_1'],
        at: now,
      });
  });

  test("whose order has an unknown result are recognised in the provider's list", () => {
    const lost: MerchantEvent = {
      type: 'CompanyRequestResultUnknown',
      request: 'order_terminal',
      at: now,
    };
    given(...available, asked)
      .when({ type: 'NoteUnknownOutcome', call: 'order_terminal', at: now })
      .then(lost);
    given(...available, asked, lost)
      .when(list())
      .thenNothing();
    given(...available, asked, lost)
      .when(list(terminal()))
      .then(
        ordered,
        { type: 'CompanyRequestResultResolved', request: 'order_terminal', at: now },
        seen({}, now),
      );
  });

  test('that were already listed before an order are not taken for the ordered terminal, even with the same name', () => {
    const second: MerchantEvent = { ...asked, knownTerminalIds: ['term_1'] } as MerchantEvent;
    given(...available, seen(), second)
      .when(list(terminal()))
      .thenNothing();
  });

  test('can be ordered again after the provider refused the order', () => {
    const refuse: MerchantCommand = {
      type: 'ObserveTerminalRejection',
      requestId: 'req_1',
      reason: 'not_allowed',
      at: now,
    };
    const refused: MerchantEvent = {
      type: 'TerminalOrderRejected',
      requestId: 'req_1',
      reason: 'not_allowed',
      at: now,
    };
    given(...available, asked)
      .when(refuse)
      .then(refused);
    given(...available, asked, refused)
      .when(refuse)
      .thenNothing();
    given(...available, asked, refused)
      .when(order('platform', 'req_2'))
      .then({ ...asked, requestId: 'req_2' } as MerchantEvent);
  });

  test('can be ordered automatically once more after the provider refused the automatic order', () => {
    const refused: MerchantEvent = {
      type: 'TerminalOrderRejected',
      requestId: 'req_1',
      reason: 'not_allowed',
      at: now,
    };
    given(...available, asked, refused)
      .when(order('policy', 'req_2'))
      .then({ ...asked, requestId: 'req_2' } as MerchantEvent);
    given(...available, asked)
      .when(order('policy', 'req_2'))
      .thenNothing();
  });

  test('take each newer status from the provider’s list and ignore statuses older than the recorded one', () => {
    const shipped = { status: 'shipped', carrierName: 'Post', trackingUrl: 'https://post.example' };
    given(...available, seen())
      .when(list(terminal(shipped)))
      .then(seen(shipped, now));
    given(...available, seen(shipped, now))
      .when(list(terminal()))
      .thenNothing();
  });

  test('can be canceled while their order is pending', () => {
    const cancel: MerchantCommand = {
      type: 'RequestTerminalCancel',
      terminalId: 'term_1',
      at: now,
    };
    const asksCancel: MerchantEvent = {
      type: 'TerminalCancelRequested',
      terminalId: 'term_1',
      at: now,
    };
    given(...available, seen())
      .when(cancel)
      .then(asksCancel);
    given(...available, seen(), asksCancel)
      .when(cancel)
      .thenNothing();
    given(...available, seen({ status: 'shipped' }))
      .when(cancel)
      .thenRejected('terminal_not_pending');
    given(...available, seen({ status: 'canceled' }))
      .when(cancel)
      .thenNothing();
    given(...available)
      .when(cancel)
      .thenRejected('terminal_not_found');
  });

  test('whose cancellation has an unknown result are recorded as canceled when the list shows them as canceled', () => {
    const history = [
      ...available,
      seen(),
      { type: 'TerminalCancelRequested', terminalId: 'term_1', at } as const,
    ];
    const note: MerchantCommand = { type: 'NoteUnknownOutcome', call: 'cancel_terminal', at: now };
    const lost: MerchantEvent = {
      type: 'CompanyRequestResultUnknown',
      request: 'cancel_terminal',
      at: now,
    };
    given(...history)
      .when(note)
      .then(lost);
    given(...history, lost)
      .when(list(terminal()))
      .thenNothing();
    given(...history, lost)
      .when(list(terminal({ status: 'canceled' })))
      .then(seen({ status: 'canceled' }, now), {
        type: 'CompanyRequestResultResolved',
        request: 'cancel_terminal',
        at: now,
      });
  });
});

describe('an overdue status', () => {
  const report = (status: 'requested' | CompanyStatus): MerchantCommand => ({
    type: 'ReportSilence',
    status,
    at: now,
  });

  test('is recorded once, and is ignored if the company’s status has changed meanwhile', () => {
    const silent: MerchantEvent = { type: 'CompanyStatusOverdue', status: 'incomplete', at: now };
    given(...incomplete)
      .when(report('incomplete'))
      .then(silent);
    given(...incomplete, silent)
      .when(report('incomplete'))
      .thenNothing();
    given(...available)
      .when(report('incomplete'))
      .thenNothing();
    given(...incomplete, silent, changed('validated', '2026-03-04'))
      .when(report('validated'))
      .then({ type: 'CompanyStatusOverdue', status: 'validated', at: now });
  });

  test('is recorded for a registration whose result stays unknown', () => {
    given(drafted, requested, unknown)
      .when(report('requested'))
      .then({ type: 'CompanyStatusOverdue', status: 'requested', at: now });
  });
});
