/** The format of a card number by its first digits. The last rule matches every number. */
const BRANDS = [
  { name: 'amex', pattern: /^3[47]/, groups: [4, 6, 5], lengths: [15], cvcDigits: 4 },
  { name: 'visa', pattern: /^4/, groups: [4, 4, 4, 4, 3], lengths: [13, 16, 19], cvcDigits: 3 },
  {
    name: 'mastercard',
    pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    groups: [4, 4, 4, 4],
    lengths: [16],
    cvcDigits: 3,
  },
  {
    name: 'maestro',
    pattern: /^(5[06-8]|6304|67)/,
    groups: [4, 4, 4, 4, 3],
    lengths: [13, 14, 15, 16, 17, 18, 19],
    cvcDigits: 3,
  },
  {
    name: 'card',
    pattern: /^/,
    groups: [4, 4, 4, 4, 3],
    lengths: [13, 14, 15, 16, 17, 18, 19],
    cvcDigits: 3,
  },
];

export const digitsOf = (text) => text.replace(/\D/g, '');

export const brandOf = (digits) => BRANDS.find(({ pattern }) => pattern.test(digits));

/**
 * The brand of the test cards whose numbers begin with these digits; null if there are none, or if
 * their brands differ.
 */
export const testBrandOf = (digits, testCards) => {
  if (digits === '') return null;
  const matching = testCards.filter(({ number }) => digitsOf(number).startsWith(digits));
  const brands = new Set(matching.map(({ brand }) => brand));
  return brands.size === 1 ? matching[0].brand : null;
};

const longest = ({ lengths }) => Math.max(...lengths);

/**
 * Formats the number in the groups printed on cards of its brand, limited to the brand's maximum
 * length.
 */
export const groupNumber = (digits) => {
  const brand = brandOf(digits);
  const groups = [];
  let rest = digits.slice(0, longest(brand));
  for (const size of brand.groups) {
    if (rest === '') break;
    groups.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return groups.join(' ');
};

const passesLuhn = (digits) => {
  const sum = [...digits].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
};

/** The message key for an invalid number; null if the number may be valid. */
export const numberProblem = (digits) => {
  if (digits === '') return 'numberMissing';
  return brandOf(digits).lengths.includes(digits.length) && passesLuhn(digits)
    ? null
    : 'numberInvalid';
};

/**
 * `8` becomes `08`, `0829` becomes `08 / 29`, `08/2029` becomes `08 / 29`. While a year of four
 * digits is typed, its third digit is kept, as in `08 / 202`.
 */
export const groupExpiry = (text) => {
  const typed = digitsOf(text);
  const digits = /^[2-9]/.test(typed) || /^1\s*\//.test(text) ? `0${typed}` : typed;
  const month = digits.slice(0, 2);
  const year = digits.slice(2, 6);
  if (year === '') return month;
  if (!year.startsWith('20')) return `${month} / ${year.slice(0, 2)}`;
  return `${month} / ${year.length === 4 ? year.slice(2) : year}`;
};

export const expiryOf = (text) => {
  const [, month = '', year = ''] = /^(\d\d) \/ (\d\d)$/.exec(text) ?? [];
  return { month: Number(month), year: 2000 + Number(year) };
};

/** The message key for an invalid date. A card is valid until the last day of its month. */
export const expiryProblem = (text, today) => {
  if (text === '') return 'expiryMissing';
  const { month, year } = expiryOf(text);
  if (month < 1 || month > 12) return 'expiryInvalid';
  return today < new Date(year, month, 1) ? null : 'expiryPast';
};

export const cvcProblem = (text, numberDigits) =>
  text.length === brandOf(numberDigits).cvcDigits ? null : 'cvcInvalid';

/**
 * Names have no digits: a payer who enters digits is typing the card number into the wrong field.
 */
export const digitsProblem = (name) => (/\p{Nd}/u.test(name) ? 'nameDigits' : null);

export const nameProblem = (text) =>
  digitsProblem(text) ?? (text.trim().length < 3 ? 'nameInvalid' : null);
