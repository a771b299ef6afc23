import { electronicFormatIBAN, validateIBAN, ValidationErrorsIBAN } from 'ibantools';

/**
 * The electronic form (capitals and digits only) of the IBAN that a text holds, with or without
 * spaces; null when its country, its length or its checksum is not an IBAN's. Countries' own checks
 * of account numbers are the banks' to make.
 */
export const ibanIn = (text: string): string | null => {
  const iban = electronicFormatIBAN(text);
  if (iban === null || !/^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/.test(iban)) return null;
  // ISO 7064 gives 02 to 98: others may fit the sum, and belong to no account.
  const check = Number(iban.slice(2, 4));
  if (check < 2 || check > 98) return null;
  const { errorCodes } = validateIBAN(iban);
  const isOne = errorCodes.every(
    (code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  );
  return isOne ? iban : null;
};
