import type { RecordedEvent } from '#log';
import { fold, parseInstant, plusMs } from '#kernel';
import {
  type CompanyStatus,
  isRegistered,
  type MerchantCommand,
  merchantDecider,
  type MerchantEvent,
  merchantList,
  type MerchantListRow,
} from '#onboarding';

const at = parseInstant('2026-03-01T10:00:00Z');

const draft: MerchantCommand = {
  type: 'DraftMerchant',
  platformId: 'shop',
  reference: 'M-1',
  mode: 'test',
  firstTerminal: null,
  detailsRef: 'det_1',
  at,
};
const register: MerchantCommand = { type: 'RequestRegistration', at };
const observe = (status: CompanyStatus, hours: number): MerchantCommand => {
  const readAt = plusMs(at, hours * 3_600_000);
  return {
    type: 'ObserveCompanyStatus',
    at: readAt,
    observation: {
      companyId: 'comp_1',
      companyAccountId: null,
      status,
      terminatedByProvider: null,
      seen: { source: 'read', readAt },
    },
  };
};
const keys: MerchantCommand = {
  type: 'AttachAccount',
  accountId: 'acc_1',
  mode: 'test',
  readAt: at,
  at,
};

const STORIES: Readonly<Record<string, readonly MerchantCommand[]>> = {
  drafted: [draft],
  requested: [draft, register],
  rejected: [
    draft,
    register,
    {
      type: 'ObserveRegistrationRejection',
      reason: 'email-unavailable',
      fields: [],
      at,
    },
  ],
  'found absent': [
    draft,
    register,
    { type: 'NoteUnknownOutcome', call: 'create_company', at },
    { type: 'ResolveRegistrationAbsent', at },
  ],
  registered: [draft, register, observe('incomplete', 0)],
  open: [draft, register, observe('available', 0), keys],
  'open, with an older read that is recorded late': [
    draft,
    register,
    observe('available', 30),
    keys,
    observe('validated', 1),
  ],
  closed: [draft, register, observe('available', 0), keys, observe('closing', 30)],
  erased: [draft, register, observe('available', 0), { type: 'ErasePersonalData', at }],
};

test.each(Object.entries(STORIES))(
  'the merchant list shows a merchant that is %s with the values of its event stream',
  (_, story) => {
    let history: readonly MerchantEvent[] = [];
    let row: MerchantListRow | null = null;
    for (const command of story) {
      const events = merchantDecider.decide(fold(merchantDecider, history), command);
      for (const { type, ...data } of events) {
        history = [...history, { type, ...data } as MerchantEvent];
        const recorded = { streamId: 'mer_1', version: history.length, type, data };
        row = merchantList.apply(row, recorded as unknown as RecordedEvent);
      }
    }
    const merchant = fold(merchantDecider, history);
    expect(row).toEqual({
      merchant_id: 'mer_1',
      platform_id: 'shop',
      reference: 'M-1',
      mode: 'test',
      status: merchant.status,
      orders_enabled: isRegistered(merchant) && merchant.ordersEnabled,
      company_id: isRegistered(merchant) ? merchant.companyId : null,
      drafted_at: at,
      version: history.length,
    });
  },
);
