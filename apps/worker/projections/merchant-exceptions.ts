import { assert } from '#kernel';
import type { RecordedEvent } from '#event-store';
import type { MerchantCall, MerchantEvent } from '#onboarding';
import type { ProjectedRow, Projection } from './projection.js';

/** A row of `merchant_exceptions`, by its columns. */
export interface MerchantExceptionRow extends ProjectedRow {
  readonly merchant_id: string;
  readonly status: string;
  /** Since ops were told that nothing is heard; null once something was. */
  readonly silent_since: string | null;
  /** Calls whose outcome nobody knows. */
  readonly unknown_calls: readonly MerchantCall[];
  readonly unknown_since: string | null;
  /** What the provider showed that cannot be, and nobody has looked into. */
  readonly mismatches: readonly string[];
  readonly mismatched_since: string | null;
}

type Shown = Omit<MerchantExceptionRow, 'merchant_id' | 'version'>;

/** Most events are no exception and end none. */
const changeBy = (row: MerchantExceptionRow, event: MerchantEvent): Partial<Shown> => {
  switch (event.type) {
    case 'RegistrationRequested':
      return { status: 'requested', silent_since: null };
    case 'RegistrationRejected':
      return { status: 'rejected', silent_since: null };
    case 'RegistrationFoundAbsent':
      return { status: 'draft' };
    case 'CompanyRegistered':
      return { status: 'notComplete', silent_since: null };
    case 'CompanyStatusChanged':
      return { status: event.status, silent_since: null };
    case 'MerchantOpened':
      return { silent_since: null };
    case 'CompanyFellSilent':
      return { silent_since: event.at };
    case 'CompanyCallUnknown':
      return {
        unknown_calls: [...row.unknown_calls, event.call],
        unknown_since: row.unknown_since ?? event.at,
      };
    case 'CompanyCallSettled': {
      const unknown = row.unknown_calls.filter((call) => call !== event.call);
      return {
        unknown_calls: unknown, unknown_since: unknown.length === 0 ? null : row.unknown_since,
      };
    }
    case 'CompanyMismatchObserved': {
      const { aspect, expected, observed, at } = event;
      return {
        mismatches: [...row.mismatches, `${aspect} ${expected}: ${observed}`],
        mismatched_since: row.mismatched_since ?? at,
      };
    }
    case 'CompanyMismatchesReviewed':
      return { mismatches: [], mismatched_since: null };
    default:
      return {};
  }
};

const apply = (
  row: MerchantExceptionRow | null, { streamId, version, type, data }: RecordedEvent,
): MerchantExceptionRow => {
  // The log gives events back as they were written, lifted to today's schema.
  const event = { ...data, type } as MerchantEvent;
  if (event.type === 'MerchantDrafted') {
    return {
      merchant_id: streamId, status: 'draft', silent_since: null, unknown_calls: [],
      unknown_since: null, mismatches: [], mismatched_since: null, version,
    };
  }
  assert(row !== null, 'a merchant is drafted before anything else happens to it');
  return { ...row, ...changeBy(row, event), version };
};

/**
 * Which merchants wait for a person: companies that are silent or contradict themselves, calls of
 * unknown outcome.
 */
export const merchantExceptions: Projection<MerchantExceptionRow> = {
  name: 'merchant_exceptions',
  streamTypes: ['merchant'],
  keyColumn: 'merchant_id',
  columns: [
    'merchant_id', 'status', 'silent_since', 'unknown_calls', 'unknown_since', 'mismatches',
    'mismatched_since', 'version',
  ] satisfies readonly (keyof MerchantExceptionRow)[],
  apply,
};
