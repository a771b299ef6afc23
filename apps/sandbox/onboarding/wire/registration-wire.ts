import { wireCheck, wireQuery } from '../http/wire-check.js';
import { COMPANY_STATUSES, type CompanyStatus } from '../registration/company-status.js';
import { STEP_CODES } from '../registration/registration-progress.js';
import type { HistoryQuery } from '../registration/status-history.js';
import { companyStatus } from './company-answer.js';
import { DATE, exactly, FLAG, idOf, listOf, TEXT } from './schema.js';

export const statusBody = wireCheck<{ readonly status: CompanyStatus }>(
  exactly({ status: { type: 'string', enum: COMPANY_STATUSES } }),
);

export const historyQuery = wireQuery<HistoryQuery>(
  { since: DATE, until: DATE, status: companyStatus }, ['since', 'until'],
);

export const linkAnswer = exactly({ link: { type: 'string', format: 'uri' } });

export const progressAnswer = exactly({
  company: idOf('comp'),
  status: companyStatus,
  steps: listOf(exactly({
    code: { type: 'string', enum: STEP_CODES }, complete: FLAG, missing: listOf(TEXT),
  })),
  percent: { type: 'integer', minimum: 0, maximum: 100 },
});

export const historyAnswer = listOf({
  ...exactly({ 'date-update': DATE, id: idOf('comp'), status: companyStatus }),
  properties: {
    'date-update': DATE, id: idOf('comp'), status: companyStatus, 'terminated-by-service': FLAG,
  },
});

export const keysAnswer = exactly({
  test: { type: 'string', pattern: '^stest_[A-Za-z0-9]{32}$' },
  live: { type: 'string', pattern: '^sprod_[A-Za-z0-9]{32}$' },
});

const terminalFields = {
  id: idOf('term'),
  name: TEXT,
  status: {
    type: 'string',
    enum: [
      'pendingOrder', 'orderCancelled', 'orderInProgress', 'shipped', 'delivred', 'activated',
      'posLostByCarrier', 'pendingPosReturn', 'poskeptByMerchant', 'posReturned', 'deactivated',
    ],
  },
};

/** Both are there once it is shipped, and neither before. */
export const terminalAnswer = {
  ...exactly(terminalFields),
  properties: { ...terminalFields, 'carrier-name': TEXT, 'tracking-url': TEXT },
};
export const terminalsAnswer = listOf(terminalAnswer);

export const accountQuery = wireQuery<{ readonly company: string; readonly account: string }>({
  company: TEXT, account: TEXT,
});

export const orderQuery = wireQuery<{
  readonly company: string;
  readonly account: string;
  readonly name: string;
}>({
  company: TEXT, account: TEXT,
  name: { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' },
});

export const cancelQuery = wireQuery<{
  readonly company: string;
  readonly account: string;
  readonly 'payment-terminal': string;
}>({ company: TEXT, account: TEXT, 'payment-terminal': TEXT });

