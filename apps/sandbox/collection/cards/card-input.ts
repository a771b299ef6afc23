import { holdsCardNumber, type Instant, passesLuhn, Rejection } from '#kernel';
import { invalid } from '../../api/api-error.js';
import type { CardCreate, CardPatch } from './card-resource.js';

/** What the payer typed. Lives in memory only: never stored, never logged. */
export interface CardInput {
  /** 13 to 19 digits; spaces and dashes between them are taken out. */
  readonly number: string;
  readonly expMonth: number;
  /** Four digits. */
  readonly expYear: number;
  readonly cvc: string;
  readonly name?: string;
}

/** What is kept of a card that was typed, and its number for the moment of the attempt. */
export interface TypedCard {
  /** Digits only. Never stored, never logged. */
  readonly number: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly name: string | null;
}

/** Control characters and half a surrogate pair: in no name, and no database takes them all. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

const refuse = (field: keyof CardInput, problem: string, message: string): Rejection =>
  new Rejection('invalid_card', message, { field, problem });

/** The month is of that year, and neither has passed. */
const checkExpiry = (expMonth: number, expYear: number, now: Instant): void => {
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) {
    throw refuse('expMonth', 'not_a_month', 'the month is from 1 to 12');
  }
  if (!Number.isInteger(expYear) || expYear < 2000 || expYear > 2099) {
    throw refuse('expYear', 'not_a_year', 'the year has four digits');
  }
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  if (expYear < year || (expYear === year && expMonth < month)) {
    throw refuse(expYear < year ? 'expYear' : 'expMonth', 'past', 'the card has expired');
  }
};

/** All but the security code, which is asked for where a payer types a card. */
const readUncoded = (input: Omit<CardInput, 'cvc'>, now: Instant): TypedCard => {
  const number = input.number.replace(/[ -]/g, '');
  if (!/^\d{13,19}$/.test(number)) {
    throw refuse('number', 'not_a_number', 'the card number has 13 to 19 digits');
  }
  if (!passesLuhn(number)) throw refuse('number', 'mistyped', 'the card number is mistyped');
  const { expMonth, expYear } = input;
  checkExpiry(expMonth, expYear, now);
  const name = input.name?.trim() ?? '';
  const isName = name.length >= 3 && name.length <= 64 && !NO_TEXT.test(name);
  if (name !== '' && (!isName || holdsCardNumber(name))) {
    throw refuse('name', 'length', 'the name has 3 to 64 characters');
  }
  return { number, last4: number.slice(-4), expMonth, expYear, name: name === '' ? null : name };
};

/** Checks what the payer typed. Throws `Rejection('invalid_card')`, see `PageFlow` in `page-flow`. */
export const readCard = (input: CardInput, now: Instant): TypedCard => {
  const card = readUncoded(input, now);
  if (!/^\d{3,4}$/.test(input.cvc)) {
    throw refuse('cvc', 'not_a_code', 'the security code has 3 or 4 digits');
  }
  // docs/provider/payments-completion.md#settled-after-real-clients: what is typed into the wrong
  // field of the page.
  if (/\p{Nd}/u.test(card.name ?? '')) throw refuse('name', 'digits', 'a name has no digits');
  return card;
};

const BODY_FIELDS: Readonly<Record<string, string>> = {
  expMonth: 'exp_month',
  expYear: 'exp_year',
};

/** What the check answers; what it refuses is an `ApiError` 422 naming the field, found `at`. */
const asInBody = <T>(check: () => T, at: readonly string[] = []): T => {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const field = String(error.details['field']);
    const loc = ['body', ...at, BODY_FIELDS[field] ?? field];
    throw invalid({ loc, msg: `Input is refused: ${error.message}`, type: 'value_error' });
  }
};

/** The card of a body that has its schema; throws `ApiError` 422 naming the field, found `at`. */
export const cardInBody = (
  { number, exp_month: expMonth, exp_year: expYear, name }: CardCreate,
  now: Instant,
  at: readonly string[] = [],
): TypedCard =>
  asInBody(() => readUncoded({ number, expMonth, expYear, name: name ?? '' }, now), at);

/** A renewed card's expiry, where one is given. Throws `ApiError` 422. */
export const checkRenewal = (
  { exp_month: expMonth, exp_year: expYear }: CardPatch,
  now: Instant,
): void => {
  if (expMonth === undefined || expYear === undefined) return;
  asInBody(() => checkExpiry(expMonth, expYear, now));
};
