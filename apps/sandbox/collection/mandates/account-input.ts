import { holdsCardNumber, Rejection } from '#kernel';
import { ibanIn } from '../sepa/iban.js';
import { phoneIn } from '../sepa/phone-number.js';

/**
 * Bank account data entered by the payer. The IBAN is kept in memory only: never stored, never
 * logged.
 */
export interface AccountInput {
  readonly name: string;
  readonly iban: string;
  readonly phone: string;
}

/**
 * Control characters and unpaired surrogates. They are invalid in names, and some databases reject
 * them.
 */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

const refuse = (field: keyof AccountInput, message: string): Rejection =>
  new Rejection('invalid_account', message, { field });

/**
 * Validates the payer's input and returns it normalised: the IBAN in electronic form, the telephone
 * number with its country code. Throws `Rejection('invalid_account')`, which names the field and
 * never repeats a value.
 */
export const readAccount = (input: AccountInput): AccountInput => {
  const name = input.name.trim();
  const isName = name.length >= 3 && name.length <= 64 && !NO_TEXT.test(name);
  if (!isName || holdsCardNumber(name))
    throw refuse('name', 'the name must have 3 to 64 characters');
  const iban = ibanIn(input.iban);
  if (iban === null) throw refuse('iban', 'the IBAN is invalid');
  const phone = phoneIn(input.phone, iban.slice(0, 2));
  if (phone === null) throw refuse('phone', 'the telephone number is invalid');
  return { name, iban, phone };
};
