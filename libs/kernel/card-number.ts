const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** 13 to 19 digits in one run, single spaces, dots or dashes allowed between them. */
const CARD_LIKE = /(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)/g;

/**
 * Whether a text holds what may be a card number: 13 to 19 digits that pass Luhn. Such a text is
 * refused at every door but the sandbox's page, so that none is ever stored, logged or published.
 */
export const holdsCardNumber = (text: string): boolean =>
  (text.match(CARD_LIKE) ?? []).some((run) => passesLuhn(run.replace(/\D/g, '')));
