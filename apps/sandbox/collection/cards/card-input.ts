import { holdsCardNumber, type Instant, passesLuhn, Rejection } from '#kernel';
import { invalid } from '../../api/api-error.js';
import type { CardCreate, CardPatch } from './card-resource.js';

/** Card data entered by the payer. Kept in memory only: never stored, never logged. */
export interface CardInput {
  /** 13 to 19 digits; spaces and dashes between them are removed. */
  readonly number: string;
  readonly expMonth: number;
  /** Four digits. */
  readonly expYear: number;
  readonly cvc: string;
  readonly name?: string;
}

/**
 * The data of an entered card: the fields that are stored, and the number, which is kept only
 * during the attempt.
 */
export interface TypedCard {
  /** The card number, digits only. Never stored, never logged. */
  readonly number: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly name: string | null;
}

/**
 * Control characters and unpaired surrogates. They are invalid in names, and some databases reject
 * them.
 */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

const refuse = (field: keyof CardInput, problem: string, message: string): Rejection =>
  new Rejection('invalid_card', message, { field, problem });

/** A card can be used until the end of its month of expiry (UTC). */
export const isExpired = (expMonth: number, expYear: number, now: Instant): boolean => {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  return expYear < year || (expYear === year && expMonth < month);
};

/** Rejects an expiry date in the past. */
const checkExpiry = (expMonth: number, expYear: number, now: Instant): void => {
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) {
    throw refuse('expMonth', 'not_a_month', 'the month must be from 1 to 12');
  }
  if (!Number.isInteger(expYear) || expYear < 2000 || expYear > 2099) {
    throw refuse('expYear', 'not_a_year', 'the year must have four digits');
  }
  if (isExpired(expMonth, expYear, now)) {
    const isPastYear = expYear < Number(now.slice(0, 4));
    throw refuse(isPastYear ? 'expYear' : 'expMonth', 'past', 'the card has expired');
  }
};

/**
 * Checks all card data except the security code, which payers must enter but merchants may omit.
 */
const readUncoded = (input: Omit<CardInput, 'cvc'>, now: Instant): TypedCard => {
  const number = input.number.replace(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(number)) {
    throw refuse('number', 'not_a_number', 'the card number must have 13 to 19 digits');
  }
  if (!passesLuhn(number)) throw refuse('number', 'mistyped', 'the card number is invalid');
  const { expMonth, expYear } = input;
  checkExpiry(expMonth, expYear, now);
  const name = input.name?.trim() ?? '';
  const isName = name.length >= 3 && name.length <= 64 && !NO_TEXT.test(name);
  if (name !== '' && (!isName || holdsCardNumber(name))) {
    throw refuse('name', 'length', 'the name must have 3 to 64 characters');
  }
  return { number, last4: number.slice(-4), expMonth, expYear, name: name === '' ? null : name };
};

/**
 * Validates the payer's input. Throws `Rejection('invalid_card')`, see `PageFlow` in `page-flow`.
 */
export const readCard = (input: CardInput, now: Instant): TypedCard => {
  const card = readUncoded(input, now);
  if (!/^\d{3,4}$/.test(input.cvc)) {
    throw refuse('cvc', 'not_a_code', 'the security code must have 3 or 4 digits');
  }
  // Digits in the name may be a card number entered in the wrong field of the page. See
  // docs/provider/payments-completion.md#settled-after-real-clients.
  if (/\p{Nd}/u.test(card.name ?? ''))
    throw refuse('name', 'digits', 'the name must not contain digits');
  return card;
};

const BODY_FIELDS: Readonly<Record<string, string>> = {
  expMonth: 'exp_month',
  expYear: 'exp_year',
};

/**
 * Runs `check`, and converts its rejection to an `ApiError` 422 with the path of the invalid field,
 * which is below `at`.
 */
const asInBody = <T>(check: () => T, at: readonly string[] = []): T => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const field = String(error.details['field']);
    const loc = ['body', ...at, BODY_FIELDS[field] ?? field];
    throw invalid({ loc, msg: `Input is invalid: ${error.message}`, type: 'value_error' });
  }
};

/**
 * Returns the card in a validated body; throws `ApiError` 422 with the path of the invalid field,
 * which is below `at`.
 */
export const cardInBody = (
  { number, exp_month: expMonth, exp_year: expYear, name }: CardCreate,
  now: Instant,
  at: readonly string[] = [],
): TypedCard =>
  asInBody(() => readUncoded({ number, expMonth, expYear, name: name ?? '' }, now), at);

/**
 * Checks the new expiry date of a renewed card, if the body contains a new date. Throws `ApiError`
 * 422.
 */
export const checkRenewal = (
  { exp_month: expMonth, exp_year: expYear }: CardPatch,
  now: Instant,
): void => {
  if (expMonth === undefined || expYear === undefined) return;
  asInBody(() => checkExpiry(expMonth, expYear, now));
};
