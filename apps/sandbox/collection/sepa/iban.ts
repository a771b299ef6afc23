import { electronicFormatIBAN, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import { invalid } from '../../api/api-error.js';

/**
 * The electronic form (capitals and digits only) of the IBAN in a text, with or without spaces;
 * null when the country, length or checksum is invalid. National checks of account numbers are left
 * to banks.
 */
export const ibanIn = (text: string): string | null => {
  const iban = electronicFormatIBAN(text);
  if (iban === null || !/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(iban)) return null;
  // ISO 7064 generates only the check digits 02 to 98: an IBAN with 00, 01 or 99 is invalid even if
  // it satisfies the checksum.
  const check = Number(iban.slice(2, 4));
  if (check < 2 || check > 98) return null;
  const { errorCodes } = validateIBAN(iban);
  const isOne = errorCodes.every(
    (code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  );
  return isOne ? iban : null;
};

/**
 * Reads an IBAN and returns it in electronic form. `at`: the path of the field in the body. Throws
 * `ApiError` 422.
 */
export const readIban = (given: string, at: readonly string[] = ['iban']): string => {
  const iban = ibanIn(given);
  if (iban !== null) return iban;
  const msg = 'Input should be an IBAN with the length and the checksum of its country';
  throw invalid({ loc: ['body', ...at], msg, type: 'value_error' });
};
