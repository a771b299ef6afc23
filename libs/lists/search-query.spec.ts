import { InvalidSearch } from './invalid-search.js';
import { parseSearch, type SearchCondition } from './search-query.js';

const VOCABULARY = {
  operators: ['status', 'amount', 'currency', 'date', 'merchant', 'method'],
  statuses: ['open', 'captured', 'refunded'],
};

const parse = (text: string) => parseSearch(text, VOCABULARY);

const word = (text: string, amountMinor: number | null = null): SearchCondition => ({
  is: 'word',
  text,
  amountMinor,
});
const amount = (from: number | null, to: number | null): SearchCondition => ({
  is: 'amount',
  minor: { from, to },
});
const field = (operator: string, value: string): SearchCondition => ({
  is: 'field',
  operator,
  value,
});
const date = (from: string | null, to: string | null): SearchCondition => {
  const instant = (day: string | null) => day && `${day}T00:00:00.000Z`;
  return { is: 'date', instants: { from: instant(from), to: instant(to) } };
};

const CASES: Readonly<Record<string, readonly SearchCondition[]>> = {
  pay_3xKq: [word('pay_3xKq')],
  'INV-2026 3xKq': [word('INV-2026'), word('3xKq')],
  '"a text: with spaces"': [word('a text: with spaces')],
  '44.85': [amount(4_485, 4_485)],
  '44,85': [amount(4_485, 4_485)],
  '44.8': [amount(4_480, 4_480)],
  '€44.85': [amount(4_485, 4_485), field('currency', 'eur')],
  '44,85€': [amount(4_485, 4_485), field('currency', 'eur')],
  '44.85 EUR': [amount(4_485, 4_485), field('currency', 'eur')],
  '£120': [amount(12_000, 12_000), field('currency', 'gbp')],
  '120 usd': [amount(12_000, 12_000), field('currency', 'usd')],
  '44,85 €': [amount(4_485, 4_485), field('currency', 'eur')],
  '€ 120': [field('currency', 'eur'), amount(12_000, 12_000)],
  '€44.85 4242': [amount(4_485, 4_485), field('currency', 'eur'), word('4242', 424_200)],
  '44.85 EUR 4242': [amount(4_485, 4_485), field('currency', 'eur'), word('4242', 424_200)],
  '120 EUR 4242': [amount(12_000, 12_000), field('currency', 'eur'), word('4242', 424_200)],
  'EUR 44.85 4242': [field('currency', 'eur'), amount(4_485, 4_485), word('4242', 424_200)],
  '4242 refunded EUR': [
    word('4242', 424_200),
    { is: 'status', anyOf: ['refunded'] },
    field('currency', 'eur'),
  ],
  'currency:€ 4242': [field('currency', 'eur'), word('4242', 424_200)],
  '1,234.50': [amount(123_450, 123_450)],
  '1.234,50': [amount(123_450, 123_450)],
  '1\u202F234,50\u00A0€': [amount(123_450, 123_450), field('currency', 'eur')],
  '1.234': [word('1.234')],
  '4242': [word('4242', 424_200)],
  '12': [amount(1_200, 1_200)],
  '"4242"': [word('4242')],
  '99999999999': [word('99999999999')],
  'amount:44.85': [amount(4_485, 4_485)],
  'amount:>100': [amount(10_001, null)],
  'amount:>=100': [amount(10_000, null)],
  'amount:<0.5': [amount(null, 49)],
  'amount:<=€100': [amount(null, 10_000)],
  'amount:10..20.50': [amount(1_000, 2_050)],
  refunded: [{ is: 'status', anyOf: ['refunded'] }],
  'status:Open,captured': [{ is: 'status', anyOf: ['open', 'captured'] }],
  '2026-03-01': [date('2026-03-01', '2026-03-02')],
  'date:2026-02': [date('2026-02-01', '2026-03-01')],
  'date:2026': [date('2026-01-01', '2027-01-01')],
  'date:>2026-12-31': [date('2027-01-01', null)],
  'date:>=2026-03-01': [date('2026-03-01', null)],
  'date:<2026-03-01': [date(null, '2026-03-01')],
  'date:<=2026-03-01': [date(null, '2026-03-02')],
  'date:2026-02-27..2026-03-01': [date('2026-02-27', '2026-03-02')],
  'merchant:"M: 7"': [field('merchant', 'M: 7')],
  'Method:Card': [field('method', 'card')],
  'status:refunded amount:>100 merchant:m1': [
    { is: 'status', anyOf: ['refunded'] },
    amount(10_001, null),
    field('merchant', 'm1'),
  ],
  ' ': [],
};

test.each(Object.entries(CASES))('the search “%s” is parsed', (text, conditions) => {
  expect(parse(text)).toEqual(conditions);
});

const REFUSED: Readonly<Record<string, string>> = {
  'payer:x':
    '“payer:” is not a search operator here: use one of status:, amount:, currency:, date:, ' +
    'merchant:, method:, or put a text that contains a colon in quotes',
  'status:paid': '“paid” is not a status here: use one of open, captured, refunded',
  'amount:many':
    '“amount:many” is not an amount: write amount:44.85, amount:>100, amount:<=100 or amount:10..20',
  'date:2026-02-30':
    '“date:2026-02-30” is not a date: write date:2026-03-01, date:2026-03, date:>=2026-03-01 or ' +
    'date:2026-03-01..2026-03-31; days are in UTC',
  'currency:xyz':
    '“xyz” is not a currency: use one of eur, aud, cad, chf, dkk, gbp, nok, pln, sek, usd',
  'a-b': '“a-b” is too short: enter at least 3 letters or digits in a row of an id or reference',
  'aaa bbb ccc ddd eee fff ggg hhh iii jjj kkk': 'a search has at most 10 words and operators',
};

test.each(Object.entries(REFUSED))(
  'the search “%s” is refused with a message that says what is possible',
  (text, message) => {
    expect(() => parse(text)).toThrow(new InvalidSearch(message));
  },
);
