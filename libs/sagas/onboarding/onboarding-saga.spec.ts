import { DAY_MS, fold, HOUR_MS, type Instant, parseInstant, plusMs } from '#kernel';
import {
  type CompanyStatus,
  type Merchant,
  type MerchantCommand,
  merchantDecider,
  type MerchantEvent,
  parseDay,
} from '#onboarding';
import type { Onboarding, OnboardingMessage, OnboardingReaction } from './onboarding.js';
import { reactToOnboarding } from './onboarding-saga.js';

const at: Instant = parseInstant('2026-03-01T10:00:00Z');

const merchant = (event: MerchantEvent): OnboardingMessage => ({ from: 'merchant', event });
const silence: OnboardingMessage = { from: 'deadline', kind: 'onboarding.status_overdue' };

const draft = (firstTerminal: string | null = null): MerchantCommand => ({
  type: 'DraftMerchant',
  platformId: 'shop',
  reference: 'M-1',
  mode: 'test',
  firstTerminal,
  detailsRef: 'det_1',
  at,
});
const drafted = (firstTerminal: string | null = null): OnboardingMessage =>
  merchant({ ...draft(firstTerminal), type: 'MerchantDrafted' } as MerchantEvent);
const requested = merchant({ type: 'RegistrationRequested', detailsRef: 'det_1', at });
const rejected = merchant({
  type: 'RegistrationRejected',
  reason: 'email_unavailable',
  fields: ['user.contact.email'],
  at,
});
const registered = merchant({ type: 'CompanyRegistered', companyId: 'comp_1', at });
const revised = merchant({
  type: 'DetailsRevised',
  detailsRef: 'det_2',
  fields: ['user'],
  at,
});
const observed = (status: CompanyStatus) =>
  ({
    status,
    day: parseDay('2026-03-01'),
    terminatedByProvider: null,
    source: 'read',
    readAt: at,
    at,
  }) as const;
const changed = (status: CompanyStatus): OnboardingMessage =>
  merchant({ type: 'CompanyStatusChanged', ...observed(status) });

/** The saga's reaction to the last message, after its reactions to the earlier messages. */
const after = (...messages: readonly OnboardingMessage[]): OnboardingReaction => {
  let state: Onboarding = { status: 'none' };
  let reaction: OnboardingReaction | undefined;
  for (const message of messages) {
    reaction = reactToOnboarding(state, message, { now: at, newRequestId: 'req_1' });
    state = reaction.state;
  }
  if (!reaction) throw new Error('a story has a message');
  return reaction;
};

const asked = ({ commands }: OnboardingReaction): string[] => commands.map(({ type }) => type);

test('the onboarding saga throws for a saga state that a newer release wrote', () => {
  const newer = { status: 'suspended' } as unknown as Onboarding;
  expect(() =>
    reactToOnboarding(newer, merchant({ type: 'MerchantEnabled', at }), {
      now: at,
      newRequestId: 'req_1',
    }),
  ).toThrow('suspended');
});

test('the onboarding saga deletes our copy of the merchant’s details when the personal data are erased or the company is registered, even if it has no state for the merchant', () => {
  const erased = merchant({ type: 'PersonalDataErased', at } as MerchantEvent);
  expect(after(erased).endsDetails).toBe(true);
  expect(after(registered).endsDetails).toBe(true);
  expect(after(requested).endsDetails).not.toBe(true);
});

describe('a drafted merchant', () => {
  test('requests the registration of its company only once', () => {
    expect(asked(after(drafted()))).toEqual(['RequestRegistration']);
    expect(asked(after(drafted(), drafted()))).toEqual([]);
  });

  test('waits for corrections after a rejection, and then requests the registration again', () => {
    expect(after(drafted(), requested, rejected)).toMatchObject({
      commands: [],
      deadlines: { 'onboarding.status_overdue': null },
    });
    expect(asked(after(drafted(), requested, rejected, revised))).toEqual(['RequestRegistration']);
  });

  test('is not registered again after an unknown result; instead the merchant’s company is searched at the provider', () => {
    const unknown = merchant({
      type: 'CompanyRequestResultUnknown',
      request: 'create_company',
      at,
    });
    expect(after(drafted(), requested, unknown)).toMatchObject({
      commands: [],
      readNow: 'company',
    });
    const reaction = after(drafted(), requested, unknown, silence);
    expect(reaction.commands).toEqual([{ type: 'ReportSilence', status: 'requested', at }]);
    expect(reaction.readNow).toBe('company');
  });

  test('is registered again if an operator has confirmed that the provider has no company', () => {
    const absent = merchant({ type: 'RegistrationNotFound', at });
    expect(asked(after(drafted(), requested, absent))).toEqual(['RequestRegistration']);
  });
});

describe('a merchant with a registered company', () => {
  test('gets a signature link, and has its missing items read from the provider', () => {
    const reaction = after(drafted(), requested, registered);
    expect(asked(reaction)).toEqual(['OfferSubscriptionLink']);
    expect(reaction.readNow).toBe('requirements');
    expect(reaction.deadlines).toEqual({ 'onboarding.status_overdue': plusMs(at, 30 * DAY_MS) });
  });

  test('has its missing items read again after its documents or details have changed', () => {
    const uploaded = merchant({
      type: 'DocumentsUploaded',
      kind: 'registration_extract',
      personId: null,
      documentIds: ['dcmt_1'],
      replaces: false,
      at,
    });
    const removed = merchant({ type: 'DocumentRemoved', documentId: 'dcmt_1', at });
    for (const message of [uploaded, removed, revised]) {
      expect(after(drafted(), requested, registered, message)).toMatchObject({
        commands: [],
        readNow: 'requirements',
      });
    }
    expect(after(drafted(), revised).readNow).toBeNull();
  });

  test('has its missing items read when the registration is incomplete again', () => {
    const signed = [drafted(), requested, registered, changed('in_review')];
    expect(after(...signed).readNow).toBeNull();
    expect(after(...signed, changed('incomplete')).readNow).toBe('requirements');
  });

  test('has its keys requested when the company becomes available', () => {
    const reaction = after(drafted(), requested, registered, changed('available'));
    expect(asked(reaction)).toEqual(['RequestKeys']);
    expect(reaction.deadlines).toEqual({ 'onboarding.status_overdue': plusMs(at, DAY_MS) });
  });

  test('has its keys requested again if the end of the previous contract is observed late', () => {
    const found = merchant({ type: 'EarlierStatusObserved', ...observed('closed') });
    expect(asked(after(drafted(), requested, registered, changed('available'), found))).toEqual([
      'RequestKeys',
    ]);
  });

  test.each(['CompanyStatusConfirmed', 'EarlierStatusObserved'] as const)(
    'has its keys requested again if the contract may have ended and resumed within a day (%s)',
    (type) => {
      const story = [drafted(), requested, registered, changed('available')];
      const found = (status: CompanyStatus) => merchant({ type, ...observed(status) });
      expect(asked(after(...story, found('available')))).toEqual(['RequestKeys']);
      expect(asked(after(...story, found('closing')))).toEqual([]);
    },
  );

  test('gets a first terminal when the company is validated, if the draft names a terminal', () => {
    expect(after(drafted('Counter'), requested, registered, changed('validated')).commands).toEqual(
      [
        {
          type: 'RequestTerminal',
          requestId: 'req_1',
          name: 'Counter',
          by: 'policy',
          at,
        },
      ],
    );
    expect(asked(after(drafted('Counter'), requested, registered, changed('available')))).toEqual([
      'RequestKeys',
      'RequestTerminal',
    ]);
    expect(asked(after(drafted(), requested, registered, changed('validated')))).toEqual([]);
  });

  test('gets its first terminal ordered again when a delivery address is added', () => {
    const addressed = merchant({
      type: 'DetailsRevised',
      detailsRef: null,
      fields: ['deliveryAddress'],
      at,
    });
    const story = [drafted('Counter'), requested, registered, changed('validated')];
    expect(asked(after(...story, addressed))).toEqual(['RequestTerminal']);
    expect(asked(after(...story, revised))).toEqual([]);
    expect(asked(after(drafted('Counter'), addressed))).toEqual([]);
  });

  test('has a deadline for new API keys while the merchant is disabled and its company is available', () => {
    const closed = (reason: CompanyStatus) => merchant({ type: 'MerchantDisabled', reason, at });
    const story = [drafted(), requested, registered, changed('available')];
    expect(after(...story, closed('available')).deadlines).toEqual({
      'onboarding.status_overdue': plusMs(at, DAY_MS),
    });
    expect(after(...story, closed('validated')).deadlines).toEqual({});
  });

  test('has no deadline for API keys after the merchant was enabled', () => {
    const opened = merchant({ type: 'MerchantEnabled', at });
    expect(after(drafted(), requested, registered, changed('available'), opened).deadlines).toEqual(
      { 'onboarding.status_overdue': null },
    );
  });
});

describe('a company that keeps its status for too long', () => {
  test.each([
    ['incomplete', 30 * DAY_MS],
    ['in_review', 7 * DAY_MS],
    ['validated', 7 * DAY_MS],
    ['available', DAY_MS],
    ['closing', 30 * DAY_MS],
  ] as const)(
    'in the status %s is read again after a deadline, and reported to operators',
    (status, ms) => {
      const story = [drafted(), requested, registered, changed(status)];
      expect(after(...story).deadlines).toEqual({ 'onboarding.status_overdue': plusMs(at, ms) });
      expect(after(...story, silence)).toMatchObject({
        commands: [{ type: 'ReportSilence', status, at }],
        deadlines: { 'onboarding.status_overdue': plusMs(at, 7 * DAY_MS) },
        readNow: 'company',
      });
    },
  );

  test('without a result of its registration is reported to operators after an hour', () => {
    expect(after(drafted(), requested).deadlines).toEqual({
      'onboarding.status_overdue': plusMs(at, HOUR_MS),
    });
  });

  test('is not reported if its contract has ended', () => {
    expect(after(drafted(), requested, registered, changed('closed')).deadlines).toEqual({
      'onboarding.status_overdue': null,
    });
  });
});

describe('the saga and the merchant together', () => {
  /**
   * Executes commands, and the commands with which the saga reacts to their events, until none is
   * left.
   */
  const play = (...commands: readonly MerchantCommand[]): Merchant => {
    let history: readonly MerchantEvent[] = [];
    let state: Onboarding = { status: 'none' };
    const waiting = [...commands];
    for (let command = waiting.shift(); command; command = waiting.shift()) {
      const events = merchantDecider.decide(fold(merchantDecider, history), command);
      history = [...history, ...events];
      for (const event of events) {
        const reaction = reactToOnboarding(state, merchant(event), {
          now: at,
          newRequestId: `req_${history.length}`,
        });
        state = reaction.state;
        waiting.unshift(...reaction.commands);
      }
    }
    return fold(merchantDecider, history);
  };

  const observe = (status: CompanyStatus, day: number): MerchantCommand => ({
    type: 'ObserveCompanyStatus',
    at,
    observation: {
      companyId: 'comp_1',
      companyAccountId: 'acct_1',
      status,
      terminatedByProvider: null,
      seen: { source: 'read', readAt: plusMs(at, day * DAY_MS) },
    },
  });
  const keys = (day: number): MerchantCommand => ({
    type: 'AttachAccount',
    accountId: 'acc_1',
    mode: 'test',
    readAt: plusMs(at, day * DAY_MS),
    at,
  });
  const signed = [draft('Counter'), observe('incomplete', 0), observe('in_review', 1)];
  const available = [...signed, observe('validated', 2), observe('available', 3)];

  test('lead a merchant from its draft to the acceptance of orders', () => {
    expect(play(...available)).toMatchObject({
      status: 'available',
      linkOffered: true,
      keysRequested: true,
      ordersEnabled: false,
      terminalOrder: { name: 'Counter' },
    });
    expect(play(...available, keys(3))).toMatchObject({ status: 'available', ordersEnabled: true });
  });

  test('disable a merchant at the end of its contract, and enable the merchant again only with new keys', () => {
    const ended = [...available, keys(3), observe('closing', 5)];
    expect(play(...ended)).toMatchObject({ ordersEnabled: false, accounts: [{ mode: 'test' }] });
    const over = [...ended, observe('closed', 6)];
    expect(play(...over)).toMatchObject({ ordersEnabled: false, accounts: [] });
    const again = [...over, observe('available', 9)];
    expect(play(...again)).toMatchObject({ ordersEnabled: false, keysRequested: true });
    expect(play(...again, keys(9))).toMatchObject({ ordersEnabled: true });
  });

  test('replace the API keys if the end of their contract is observed late', () => {
    const story = [...available, keys(3), observe('available', 9), observe('closed', 6)];
    expect(play(...story)).toMatchObject({
      status: 'available',
      accounts: [],
      keysRequested: true,
      ordersEnabled: false,
    });
  });
});
