import { companyStatus } from '../companies/company-answer.js';
import {
  ADDRESS,
  DATE,
  described,
  FLAG,
  listOf,
  shape,
  TEXT,
  type ValueOf,
} from '../../api/answers.js';
import { exactly, idOf, object } from '../wire/schema.js';
import { wireCheck, wireQuery } from '../wire/wire-check.js';

export const statusBody = wireCheck(exactly({ status: companyStatus }));

export const historyQuery = wireQuery({ since: DATE, until: DATE, status: companyStatus }, [
  'since',
  'until',
]);
export type HistoryQuery = ValueOf<typeof historyQuery.schema>;

export const linkAnswer = exactly({ link: ADDRESS });

/** The steps of a registration, in order. */
export const STEP_CODES = [
  'company',
  'user',
  'owners',
  'representatives',
  'documents',
  'contract',
] as const;
export type StepCode = (typeof STEP_CODES)[number];

export const progressAnswer = exactly({
  company: idOf('comp'),
  status: companyStatus,
  steps: listOf(
    exactly({
      code: shape<StepCode>({ type: 'string', enum: STEP_CODES }),
      complete: FLAG,
      missing: described('Paths of fields, kinds of documents, or `signature`.', listOf(TEXT)),
    }),
  ),
  percent: described(
    'The share of complete steps, in whole percent.',
    shape<number>({ type: 'integer', minimum: 0, maximum: 100 }),
  ),
});
export type RegistrationProgress = ValueOf<typeof progressAnswer>;

const change = object(
  { 'date-update': DATE, id: idOf('comp'), status: companyStatus, 'terminated-by-service': FLAG },
  ['date-update', 'id', 'status'],
);
/** The latest status change of a company in a period. */
export type HistoryRow = ValueOf<typeof change>;
export const historyAnswer = listOf(change);

export const keysAnswer = exactly({
  test: shape<string>({ type: 'string', pattern: '^stest_[A-Za-z0-9]{32}$' }),
  live: shape<string>({ type: 'string', pattern: '^sprod_[A-Za-z0-9]{32}$' }),
});
