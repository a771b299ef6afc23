import { companyStatus } from '../companies/company-answer.js';
import { ADDRESS, DATE, FLAG, listOf, shape, TEXT } from '../../api/answers.js';
import { exactly, idOf, object } from '../wire/schema.js';
import { wireCheck, wireQuery } from '../wire/wire-check.js';
import { STEP_CODES } from './registration-progress.js';

export const statusBody = wireCheck(exactly({ status: companyStatus }));

export const historyQuery = wireQuery(
  { since: DATE, until: DATE, status: companyStatus }, ['since', 'until'],
);

export const linkAnswer = exactly({ link: ADDRESS });

export const progressAnswer = exactly({
  company: idOf('comp'),
  status: companyStatus,
  steps: listOf(exactly({
    code: shape<string>({ type: 'string', enum: STEP_CODES }), complete: FLAG, missing: listOf(TEXT),
  })),
  percent: shape<number>({ type: 'integer', minimum: 0, maximum: 100 }),
});

export const historyAnswer = listOf(object(
  { 'date-update': DATE, id: idOf('comp'), status: companyStatus, 'terminated-by-service': FLAG },
  ['date-update', 'id', 'status'],
));

export const keysAnswer = exactly({
  test: shape<string>({ type: 'string', pattern: '^stest_[A-Za-z0-9]{32}$' }),
  live: shape<string>({ type: 'string', pattern: '^sprod_[A-Za-z0-9]{32}$' }),
});
