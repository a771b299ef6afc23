/**
 * Transliteration of Greek and Bulgarian letters to Latin, as the European Payments Council
 * specifies for banks.
 */
const TO_LATIN: Readonly<Record<string, string>> = {
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sht',
  ъ: 'a',
  ь: 'y',
  ю: 'yu',
  я: 'ya',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'n',
};

/** Transliterates one letter; an upper-case letter becomes upper case: `Щ` is `SHT`. */
const latinOf = (letter: string): string | undefined => {
  const small = letter.toLowerCase();
  const latin = TO_LATIN[small];
  return latin === undefined || small === letter ? latin : latin.toUpperCase();
};

const writable = (letter: string, isKnown: (letter: string) => boolean): string => {
  if (isKnown(letter)) return letter;
  const [base = ''] = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  if (base !== '' && isKnown(base)) return base;
  return latinOf(letter) ?? latinOf(base) ?? '?';
};

/**
 * Rewrites a text with only the letters of the document's font: unsupported accents are removed,
 * Greek and Cyrillic letters are transliterated, and all other characters become a question mark.
 */
export const inFontLetters = (text: string, isKnown: (letter: string) => boolean): string =>
  Array.from(text.normalize('NFC'), (letter) => writable(letter, isKnown)).join('');
