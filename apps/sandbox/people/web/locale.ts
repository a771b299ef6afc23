/** The languages of the pages for payers. */
export type Locale = 'en' | 'fr';

interface Preference {
  readonly language: string;
  readonly weight: number;
}

const preferenceOf = (entry: string): Preference => {
  const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
  const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
  return { language: tag.split('-')[0] ?? '', weight: quality === undefined ? 1 : Number(quality) };
};

/** English or French, depending on which of them `Accept-Language` prefers; English by default. */
export const localeOf = (acceptLanguage: string | undefined): Locale => {
  const known = (acceptLanguage ?? '')
    .split(',', 20)
    .map(preferenceOf)
    .filter(({ language, weight }) => (language === 'en' || language === 'fr') && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return known[0]?.language === 'fr' ? 'fr' : 'en';
};

/**
 * The amount formatters: one for each language and currency of the sandbox, created on first use.
 */
const amountFormats = new Map<string, Intl.NumberFormat>();

const amountFormat = (currency: string, locale: Locale): Intl.NumberFormat => {
  const key = `${locale} ${currency}`;
  const known = amountFormats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-IE', {
    style: 'currency',
    currency: currency.toUpperCase(),
  });
  amountFormats.set(key, format);
  return format;
};

/** An amount as a payer reads it, e.g. `€42.00` or `42,00 €`. Both currencies have two decimals. */
export const amountText = (amountMinor: number, currency: string, locale: Locale): string =>
  amountFormat(currency, locale).format(amountMinor / 100);
