import creditCardType from 'credit-card-type';
import { type TestCard, testCardOf } from '../banks/test-values.js';

/** Card properties derived from the number; null where no public data exists. */
export interface NumberedCard {
  readonly scenario: string | null;
  readonly brand: string;
  readonly network: string | null;
  readonly funding: 'credit' | 'debit' | 'prepaid' | null;
  readonly nature: 'personal' | 'corporate' | null;
  /** ISO 3166 alpha-2. */
  readonly country: string | null;
}

type Ranged = Omit<NumberedCard, 'scenario' | 'brand'>;

const ranged = (
  network: string,
  funding: Ranged['funding'],
  country: string,
  nature: Ranged['nature'] = 'personal',
): Ranged => ({ network, funding, nature, country });

/**
 * The properties assumed for a card of which only the network is known: those of most cards of this
 * network.
 */
const NETWORKS: Readonly<Record<string, Ranged>> = {
  visa: ranged('visa', 'credit', 'US'),
  mastercard: ranged('mastercard', 'credit', 'US'),
  'american-express': ranged('amex', 'credit', 'US'),
  'diners-club': ranged('diners-club', 'credit', 'US'),
  discover: ranged('discover', 'credit', 'US'),
  jcb: ranged('jcb', 'credit', 'JP'),
  unionpay: ranged('unionpay', 'debit', 'CN'),
  maestro: ranged('maestro', 'debit', 'GB'),
  mir: ranged('mir', 'debit', 'RU'),
  troy: ranged('troy', 'debit', 'TR'),
  elo: ranged('elo', 'credit', 'BR'),
  hiper: ranged('hiper', 'credit', 'BR'),
  hipercard: ranged('hipercard', 'credit', 'BR'),
  naranja: ranged('naranja', 'credit', 'AR'),
  verve: ranged('verve', 'debit', 'NG'),
};

/** Number ranges with more precise public data, by number prefix. */
const RANGES: Readonly<Record<string, Ranged>> = {
  // Cards of the French national network that also carry an international network.
  '497': ranged('cb', 'debit', 'FR'),
  '5131': ranged('cb', 'debit', 'FR'),
  '5132': ranged('cb', 'debit', 'FR'),
  // Ranges that their networks reserve for debit cards.
  '4026': ranged('visa', 'debit', 'US'),
  '417500': ranged('visa', 'debit', 'US'),
  '4508': ranged('visa', 'debit', 'US'),
  '4844': ranged('visa', 'debit', 'US'),
  '4913': ranged('visa', 'debit', 'US'),
  '4917': ranged('visa', 'debit', 'US'),
  '4571': ranged('visa', 'debit', 'DK'),
  '6759': ranged('maestro', 'debit', 'GB'),
  // Test numbers published by payment providers.
  '424242': ranged('visa', 'credit', 'GB'),
  '378734': ranged('amex', 'credit', 'US', 'corporate'),
};

const LONGEST = Math.max(...Object.keys(RANGES).map(({ length }) => length));

const rangeOf = (number: string): Ranged | undefined => {
  for (let digits = LONGEST; digits > 0; digits -= 1) {
    const known = RANGES[number.slice(0, digits)];
    if (known !== undefined) return known;
  }
  return undefined;
};

const ofTestCard = ({ scenario, brand, country }: TestCard): NumberedCard => ({
  scenario,
  brand,
  network: brand,
  funding: 'debit',
  nature: 'personal',
  country,
});

const UNKNOWN_RANGE: Ranged = { network: null, funding: null, nature: null, country: null };

/**
 * The properties of a card number (digits only): for a test card by its scenario, for any other
 * card by its number range. The brand is from a library's table of public ranges.
 */
export const cardOfNumber = (number: string): NumberedCard => {
  const testCard = testCardOf(number);
  if (testCard !== undefined) return ofTestCard(testCard);
  const [type] = creditCardType(number).map((known) => known.type);
  const brand = type === 'american-express' ? 'amex' : type;
  const range = rangeOf(number) ?? NETWORKS[type ?? ''] ?? UNKNOWN_RANGE;
  return { scenario: null, brand: brand ?? 'unknown', ...range };
};
