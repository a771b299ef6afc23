import type { EntityType } from '../entity/entity-types';
import { statusWord } from '../entity/status-tone';
import type { Dictionary } from '../i18n/en';
import { consumerText } from '../queues/consumer-text';
import { formatAmount } from '../shared/format';
import { type Case, isIncident } from './case';

/**
 * Matches the recorded reasons of requests that got no response, or that failed because of an
 * outage of the provider.
 */
const OUTAGES = /timeout|no response|unreachable|connection lost|server error|circuit open/i;

const isOutage = ({ detail }: Case): boolean => OUTAGES.test(detail ?? '');

/** The title of a case; for an incident, the title of the whole incident. */
export const titleOf = (t: Dictionary, one: Case): string => {
  const { one: single, many } = t.cases.kinds[one.kind];
  return isIncident(one) ? many(one.cases, isOutage(one)) : single;
};

/**
 * The kind of the failed request, reconciliation break, workflow or status that a case concerns;
 * null for kinds of cases without such a detail.
 */
export const partOf = (t: Dictionary, { kind, part }: Case): string | null => {
  const names = (of: Readonly<Record<string, string>>): string => of[part] ?? part;
  switch (kind) {
    case 'unpaid_refund':
      return names(t.cases.refundParts);
    case 'failed_request':
    case 'unknown_result':
      return names(t.calls);
    case 'reconciliation_break':
      return names(t.reconciliation.kinds);
    case 'failed_reaction':
      return names(t.workflows);
    case 'silent_merchant':
      return names(t.merchants.statuses);
    case 'failing_endpoint':
      return t.settings.endpointStatus[part === 'enabled' ? 'failing' : 'disabled'];
    case 'mismatch':
      return names(t.aspects);
    case 'blocked_stream':
      return consumerText(t, part);
    case 'rejected_capture':
      return part === 'final' ? t.payment.isFinal : null;
    case 'lapsing_authorization':
      return null;
  }
};

/**
 * A value of a status mismatch in the viewer's language: an amount, the label of a status, or the
 * unchanged text.
 */
const mismatchText = (t: Dictionary, one: Case, value: string, locale: string): string => {
  const { part, currency, subjectType } = one;
  if (part === 'amount' && currency !== null && /^\d+$/.test(value)) {
    return formatAmount(Number(value), currency, locale);
  }
  return part === 'status' ? statusWord(t, subjectType as EntityType, value) : value;
};

/**
 * The recorded reason or error of a case; null if there is none, or for a reconciliation break,
 * whose evidence is shown instead.
 */
export const detailOf = (t: Dictionary, one: Case, locale: string): string | null => {
  const { kind, detail } = one;
  if (detail === null || detail === '' || kind === 'reconciliation_break') return null;
  if (kind !== 'mismatch') return detail;
  const values = detail.split(' → ').map((value) => mismatchText(t, one, value, locale));
  return values.join(' → ');
};

/** Amounts as one text, in the alphabetical order of their currencies; empty if there are none. */
export const amountsText = (amounts: Readonly<Record<string, unknown>>, locale: string): string =>
  Object.entries(amounts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([currency, minor]) => formatAmount(minor, currency, locale))
    .join(' + ');
