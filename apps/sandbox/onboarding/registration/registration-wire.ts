import { companyStatus } from '../companies/company-answer.js';
import { COMPANY_STATUSES, type CompanyStatus } from '../companies/company-status.js';
import { DATE, exactly, FLAG, idOf, listOf, TEXT } from '../wire/schema.js';
import { wireCheck, wireQuery } from '../wire/wire-check.js';
import { STEP_CODES } from './registration-progress.js';
import type { HistoryQuery } from './status-history.js';

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
