import { consoleModule } from './console-module.fixture.js';

type AmountText = (amountMinor: number, currency: string) => string;

interface PreviewTexts {
  readonly resolved_as: (item: object, amount: AmountText) => string;
  readonly limit_changes: (item: object, amount: AmountText) => string;
}

const textsIn = async (language: string): Promise<PreviewTexts> => {
  const name = `i18n/${language}/preview-texts`;
  return (await consoleModule<{ readonly previewTexts: PreviewTexts }>(name)).previewTexts;
};

const amount: AmountText = (amountMinor, currency) =>
  `${(amountMinor / 100).toFixed(2)} ${currency.toUpperCase()}`;

const LIMIT = {
  holder: 'platform',
  holderId: 'shop',
  operation: 'refund',
  before: 500,
  daily: 1_000,
} as const;

test.each([
  [
    'en',
    'The provider no longer has the payment intent: the capture is recorded as ended without effect.',
  ],
  [
    'fr',
    'L’intention de paiement n’existe plus chez le prestataire : la requête (capture) est ' +
      'enregistrée comme terminée sans effet.',
  ],
])(
  'in %s, the preview of a request whose payment intent is missing at the provider says so',
  async (language, expected) => {
    const { resolved_as } = await textsIn(language);
    const item = { intent: 'no such intent', call: 'capture', outcome: 'forgotten' };
    expect(resolved_as(item, amount).replaceAll('\u00A0', ' ')).toBe(expected);
  },
);

test.each([
  ['en', 'amount', 'from 5.00 EUR to 10.00 EUR'],
  ['fr', 'amount', 'de 5.00 EUR à 10.00 EUR'],
  ['en', 'count', 'from 500 to 1000 operations.'],
  ['fr', 'count', 'de 500 à 1000 opérations.'],
])(
  'in %s, the preview of a changed daily limit (unit: %s) names both limits',
  async (language, unit, expected) => {
    const { limit_changes } = await textsIn(language);
    expect(limit_changes({ ...LIMIT, unit }, amount)).toContain(expected);
  },
);
