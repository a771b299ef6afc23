import { ApiProperty } from '@nestjs/swagger';
import { Matches, ValidateBy } from 'class-validator';
import { mayHoldCardNumber, mayHoldIban } from '#platform';

const EMAIL = /[^\s@]+@[^\s@]+\.[a-z]{2}/i;
/** Of the form of an account number, mistyped ones among them. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/;
/** Of a key of ours the first part alone is shown everywhere: it proves nothing. */
const KEY = /\b(?:(?:stest|sprod|spart_test|spart_live)_|po_[A-Za-z0-9]{12}_)\w{4}/;

/** Whether a text may be kept for ever: it holds no address, account, card or key. */
export const holdsNoneOfAPerson = (text: string): boolean =>
  ![EMAIL, IBAN, KEY].some((one) => one.test(text)) &&
  !mayHoldCardNumber(text) &&
  !mayHoldIban(text);

/** Of every change that a person makes: why. */
export class ReasonDto {
  @ApiProperty({
    minLength: 3,
    maxLength: 500,
    description: 'Kept in the audit for ever: name no person.',
  })
  @Matches(/^\S.{1,498}\S$/s, { message: '$property must say why, in 3 to 500 characters' })
  @ValidateBy({
    name: 'holdsNoneOfAPerson',
    validator: {
      validate: (text) => typeof text === 'string' && holdsNoneOfAPerson(text),
      defaultMessage: () => 'reason holds an address, an account, a card or a key: leave it out',
    },
  })
  reason!: string;
}
