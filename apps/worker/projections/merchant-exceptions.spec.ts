import type { RecordedEvent } from '#log';
import { parseInstant, plusMs } from '#kernel';
import { type MerchantEvent, type MerchantExceptionRow, merchantExceptions } from '#onboarding';

const at = parseInstant('2026-03-01T10:00:00Z');
const later = plusMs(at, 3_600_000);

const drafted: MerchantEvent = {
  type: 'MerchantDrafted',
  platformId: 'shop',
  reference: 'M-1',
  mode: 'test',
  firstTerminal: null,
  detailsRef: 'det_1',
  at,
};
const requested: MerchantEvent = { type: 'RegistrationRequested', detailsRef: 'det_1', at };
const unknown: MerchantEvent = {
  type: 'CompanyRequestResultUnknown',
  request: 'create_company',
  at,
};
const settled: MerchantEvent = {
  type: 'CompanyRequestResultResolved',
  request: 'create_company',
  at: later,
};
const registered: MerchantEvent = { type: 'CompanyRegistered', companyId: 'comp_1', at: later };
const silent: MerchantEvent = { type: 'CompanyStatusOverdue', status: 'requested', at: later };

const rowOf = (...events: readonly MerchantEvent[]): MerchantExceptionRow | null => {
  let row: MerchantExceptionRow | null = null;
  events.forEach(({ type, ...data }, index) => {
    const recorded = { streamId: 'mer_1', version: index + 1, type, data };
    row = merchantExceptions.apply(row, recorded as unknown as RecordedEvent);
  });
  return row;
};

test('the list of merchants that need attention contains a merchant with a provider request whose result is unknown, until the result is resolved', () => {
  expect(rowOf(drafted, requested)).toMatchObject({ unknown_results: [], unknown_since: null });
  expect(rowOf(drafted, requested, unknown)).toMatchObject({
    unknown_results: ['create_company'],
    unknown_since: at,
  });
  expect(rowOf(drafted, requested, unknown, registered, settled)).toMatchObject({
    status: 'incomplete',
    unknown_results: [],
    unknown_since: null,
  });
});

test('the list of merchants that need attention contains a company whose next status is overdue, until that status is observed', () => {
  expect(rowOf(drafted, requested, silent)).toMatchObject({ status_overdue_since: later });
  const refused: MerchantEvent = {
    type: 'RegistrationRejected',
    reason: 'validation',
    fields: ['iban'],
    at: later,
  };
  const opened: MerchantEvent = { type: 'MerchantEnabled', at: later };
  for (const heard of [registered, refused, opened]) {
    expect(rowOf(drafted, requested, silent, heard)).toMatchObject({ status_overdue_since: null });
  }
});

test('the list of merchants that need attention contains a merchant with a status mismatch, until an operator has reviewed the mismatch', () => {
  const mismatch = (observed: string, when = at): MerchantEvent => ({
    type: 'CompanyMismatchObserved',
    aspect: 'status',
    expected: 'closed',
    observed,
    at: when,
  });
  const events = [drafted, requested, registered, mismatch('available'), mismatch('asleep', later)];
  expect(rowOf(...events)).toMatchObject({
    mismatches: ['status closed: available', 'status closed: asleep'],
    mismatched_since: at,
  });
  expect(rowOf(...events, { type: 'CompanyMismatchesReviewed', at: later })).toMatchObject({
    mismatches: [],
    mismatched_since: null,
  });
});
