/** Whether the last of some digits is the check digit of the others (ISO/IEC 7812). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** 13 digits or more in one run, single spaces, dots or dashes allowed between them. */
const DIGIT_RUN = /(?<!\d)\d(?:[ .-]?\d){12,}/g;
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** Whether neighbouring groups of digits make a card number: its code or expiry may stand beside. */
const holdsCardIn = (groups: readonly string[]): boolean =>
  groups.some((_group, first) => {
    let digits = '';
    for (const group of groups.slice(first, first + MAX_DIGITS)) {
      digits += group;
      if (digits.length > MAX_DIGITS) return false;
      if (digits.length >= MIN_DIGITS && passesLuhn(digits)) return true;
    }
    return false;
  });

/**
 * Whether a text holds what may be a card number: 13 to 19 digits that pass Luhn, in whole groups.
 * Such a text is refused at every door but the sandbox's page, so that none is ever stored, logged
 * or published.
 */
export const holdsCardNumber = (text: string): boolean =>
  (text.match(DIGIT_RUN) ?? []).some((run) => holdsCardIn(run.split(/[ .-]/)));
