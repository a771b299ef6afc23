import type { List } from '#lists';
import { COMPANY_STATUSES } from '../domain/company-status.js';
import type { Merchant } from '../domain/merchant.js';
import type { MerchantMode } from '../domain/merchant-event.js';

export const MERCHANT_STATUSES = [
  'draft',
  'requested',
  'rejected',
  ...COMPANY_STATUSES,
] as const satisfies readonly Exclude<Merchant['status'], 'none'>[];

const MODES = ['test', 'live'] as const satisfies readonly MerchantMode[];

export const MERCHANT_LIST = {
  name: 'merchants',
  items: 'Merchants',
  item: 'Merchant',
  from: 'merchant_list',
  platform: 'platform_id',
  id: 'merchant_id',
  columns: {
    id: { sql: 'merchant_id' },
    status: {
      sql: 'status',
      oneOf: MERCHANT_STATUSES,
      means: '`draft`, `requested`, or the company’s status at the provider, e.g. `available`.',
    },
    platformId: { sql: 'platform_id' },
    reference: { sql: 'reference' },
    mode: { sql: 'mode', oneOf: MODES },
    ordersEnabled: {
      sql: 'orders_enabled',
      holds: 'flag',
      means: 'Whether the merchant accepts new orders.',
    },
    companyId: {
      sql: 'company_id',
      nullable: true,
      means: 'The id of the company at the provider.',
    },
    draftedAt: { sql: 'drafted_at', holds: 'instant' },
  },
  filters: {
    status: { is: 'several', of: MERCHANT_STATUSES, where: 'status = ?' },
    platformId: { is: 'id', where: 'platform_id = ?' },
    reference: { is: 'reference', where: 'reference = ?', means: "The platform's own reference." },
    companyId: {
      is: 'id',
      where: 'company_id = ?',
      means: 'The id of the company at the provider (`comp_…`).',
    },
    mode: { is: 'one', of: MODES, where: 'mode = ?' },
    ordersEnabled: {
      is: 'flag',
      where: 'orders_enabled',
      otherwise: 'NOT orders_enabled',
      means: 'Whether the merchants accept new orders.',
    },
  },
  sorts: { created: { by: 'drafted_at', of: 'instant' } },
} as const satisfies List;
