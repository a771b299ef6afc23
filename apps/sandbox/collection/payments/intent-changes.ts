import type { Currency } from '#kernel';
import { invalid } from '../../api/api-error.js';
import type { Method } from '../../money/fees.js';
import type { Aggregate } from './aggregate.js';
import { type IntentCreate, type IntentPatch, type IntentRow, INTENTS } from './intent-resource.js';

/** The requested methods; by default all methods of the currency. */
export const methodsOf = (given: IntentCreate['methods_allowed'], currency: Currency): Method[] => {
  const all: Method[] = currency === 'eur' ? ['card', 'sepa'] : ['card'];
  if (given === undefined || given === null) return all;
  const named = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given;
  return (['card', 'sepa'] as const).filter((method) => named.includes(method));
};

/**
 * Checks the requested methods; throws `ApiError` 422 for methods that the currency does not
 * support.
 */
export const checkedMethods = (
  methods: readonly Method[],
  currency: Currency,
): readonly Method[] => {
  if (methods.length > 0 && (currency === 'eur' || !methods.includes('sepa'))) return methods;
  const msg = 'Input should not allow sepa: only eur is supported';
  throw invalid({ loc: ['body', 'methods_allowed'], msg, type: 'value_error' });
};

/** Throws `ApiError` 422 for a body with both a card and a bank account. */
export const checkOneMeans = ({ card, sepa }: IntentPatch): void => {
  if ((card ?? null) === null || (sepa ?? null) === null) return;
  const msg = 'Input should be a card or a bank account, not both';
  throw invalid({ loc: ['body', 'sepa'], msg, type: 'value_error' });
};

/** The columns that a PATCH body changes; the others are undefined. */
export const columnsOf = (intent: IntentRow, body: IntentPatch) => {
  const given = body.methods_allowed;
  const currency = body.currency ?? intent.currency;
  const allowed =
    given === undefined
      ? intent.methods_allowed.filter((method) => method === 'card' || currency === 'eur')
      : methodsOf(given, currency);
  return { ...INTENTS.changes(body), methods_allowed: checkedMethods(allowed, currency) };
};

/**
 * Whether a change of the intent invalidates the payer's approval in progress (at the bank, or by
 * signing code): the payer was approving another amount, currency, `capture` or `threeds`, or the
 * payment method is no longer allowed.
 */
export const changesAttempt = (
  { intent, payment }: Aggregate,
  columns: ReturnType<typeof columnsOf>,
): boolean => {
  const isAtBank = intent.status === 'require_authentication' && payment !== null;
  if (isAtBank && !columns.methods_allowed.includes(payment.method)) return true;
  return (['amount', 'currency', 'capture', 'threeds'] as const).some(
    (field) => columns[field] !== undefined && columns[field] !== intent[field],
  );
};
