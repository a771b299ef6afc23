import { Matches, ValidateBy } from 'class-validator';
import { Field, mayHoldCardNumber, mayHoldIban } from '#platform';

/**
 * Begins at the last character before the `@`: a search for all of them would take seconds in a
 * long text.
 */
const EMAIL = /[^\s@]@[^\s@]+\.[a-z]{2}/i;
/** The pattern of an IBAN; it does not verify the check digits, so a mistyped IBAN matches too. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/;
/**
 * The pattern of an API key. The prefix alone is allowed, because it is shown in many places and
 * grants no access.
 */
const KEY = /\b(?:(?:stest|sprod|spart_test|spart_live)_|po_[A-Za-z0-9]{12}_)\w{4}/;

/**
 * Whether a text may be stored permanently: it contains no email address, IBAN, card number or API
 * key.
 */
export const holdsNoneOfAPerson = (text: string): boolean =>
  ![EMAIL, IBAN, KEY].some((one) => one.test(text)) &&
  !mayHoldCardNumber(text) &&
  !mayHoldIban(text);

/**
 * Rejects a text that contains an email address, an IBAN, a card number or an API key.
 * @param decode returns the text that the value encodes
 */
export const NothingPersonal = (decode = (text: string): string => text): PropertyDecorator =>
  ValidateBy({
    name: 'holdsNoneOfAPerson',
    validator: {
      validate: (text) => typeof text === 'string' && holdsNoneOfAPerson(decode(text)),
      defaultMessage: () =>
        '$property contains an email address, an account number, a card number or a key: remove it',
    },
  });

/** The reason of every change by a user. */
export class ReasonDto {
  @Field('Stored permanently in the audit log: do not include personal data.', {
    minLength: 3,
    maxLength: 500,
  })
  @Matches(/^\S.{1,498}\S$/s, { message: '$property must say why, in 3 to 500 characters' })
  @NothingPersonal()
  reason!: string;
}
