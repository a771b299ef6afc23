import type { Dictionary } from '../i18n/en';
import type { EntityType } from './entity-types';
import type { FlatValue } from './flat-state';
import { statusWord } from './status-tone';

/**
 * Matches a path such as `refunds[0].amountMinor`: the list, the index, and the rest of the path.
 */
const ITEM = /^(\w+)\[(\d+)\]\.(.+)$/;

/**
 * The label of a value in a state, e.g. `Refund 1: Amount`; null for a value that only the raw state
 * shows.
 */
export const stateLabel = (t: Dictionary, path: string): string | null => {
  const [, list = '', index = '', rest = path] = ITEM.exec(path) ?? [];
  const item = t.stateItems[list];
  if (list !== '' && item === undefined) return null;
  const label = t.stateLabels[rest.replace(/^(?:terms|capture|refundsAndChargebacks)\./, '')];
  if (label === undefined) return null;
  return item === undefined ? label : t.shared.labeled(item(Number(index) + 1), label);
};

const wordsOf = (t: Dictionary, path: string): Readonly<Record<string, string>> => {
  const field = path.split('.').at(-1);
  if (field === 'method') return t.payment.methods;
  if (field === 'policy') return t.entity.policies;
  if (field !== 'status') return {};
  if (path.startsWith('captures[')) return t.entity.captureStatuses;
  if (path.startsWith('refunds[')) return t.payment.refundStatuses;
  return path.startsWith('disputes[') ? t.payment.disputeStatuses : {};
};

/** A value in words: a status by its label, `true` by `yes`. */
export const stateValue = (
  t: Dictionary,
  type: EntityType,
  path: string,
  value: FlatValue['value'],
): FlatValue['value'] => {
  if (typeof value === 'boolean') return value ? t.shared.yes : t.shared.no;
  if (path === 'status') return statusWord(t, type, String(value));
  return wordsOf(t, path)[String(value)] ?? value;
};
