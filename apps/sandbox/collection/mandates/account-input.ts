import { holdsCardNumber, Rejection } from '#kernel';
import { ibanIn } from '../sepa/iban.js';
import { phoneIn } from '../sepa/phone-number.js';

/** What the payer typed. The IBAN lives in memory only: never stored, never logged. */
export interface AccountInput {
  readonly name: string;
  readonly iban: string;
  readonly phone: string;
}

/** Control characters and half a surrogate pair: in no name, and no database takes them all. */
const NO_TEXT = /[\p{Cc}\p{Cs}]/u;

const refuse = (field: keyof AccountInput, message: string): Rejection =>
  new Rejection('invalid_account', message, { field });

/**
 * Checks what the payer typed, and answers it as it is used: the IBAN in its electronic form, the
 * telephone with its country's prefix. Throws `Rejection('invalid_account')`, which names the field
 * and never repeats a value.
 */
export const readAccount = (input: AccountInput): AccountInput => {
  const name = input.name.trim();
  const isName = name.length >= 3 && name.length <= 64 && !NO_TEXT.test(name);
  if (!isName || holdsCardNumber(name)) throw refuse('name', 'the name has 3 to 64 characters');
  const iban = ibanIn(input.iban);
  if (iban === null) throw refuse('iban', 'the IBAN is mistyped');
  const phone = phoneIn(input.phone, iban.slice(0, 2));
  if (phone === null) throw refuse('phone', 'the telephone number can be none');
  return { name, iban, phone };
};
