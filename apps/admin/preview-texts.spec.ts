import type { AmountText } from './console/src/i18n/preview-text.js';
import { previewTexts as en } from './console/src/i18n/en/preview-texts.js';
import { previewTexts as fr } from './console/src/i18n/fr/preview-texts.js';

const amount: AmountText = (amountMinor, currency) =>
  `${(amountMinor / 100).toFixed(2)} ${currency.toUpperCase()}`;

const limit = {
  code: 'limit_changes',
  holder: 'platform',
  holderId: 'shop',
  operation: 'refund',
  before: 500,
  daily: 1_000,
} as const;

test.each([
  [
    'en',
    en,
    'The provider no longer has the payment intent: the capture is recorded as ended without effect.',
  ],
  [
    'fr',
    fr,
    'L’intention de paiement n’existe plus chez le prestataire : la requête (capture) est enregistrée comme terminée sans effet.',
  ],
])(
  'the preview in %s of a request whose payment intent is missing names no intent',
  (_, texts, expected) => {
    const item = {
      code: 'resolved_as',
      intent: 'no such intent',
      call: 'capture',
      outcome: 'forgotten',
    } as const;
    expect(texts.resolved_as(item, amount).replaceAll('\u00A0', ' ')).toBe(expected);
  },
);

test.each([
  ['en', en, 'from 5.00 EUR to 10.00 EUR'],
  ['fr', fr, 'de 5.00 EUR à 10.00 EUR'],
])(
  'the preview in %s of a changed daily limit of an amount shows it in euros',
  (_, texts, expected) => {
    expect(texts.limit_changes({ ...limit, unit: 'amount' }, amount)).toContain(expected);
  },
);

test.each([
  ['en', en, 'from 500 to 1000 operations.'],
  ['fr', fr, 'de 500 à 1000 opérations.'],
])(
  'the preview in %s of a changed daily limit of a count shows operations',
  (_, texts, expected) => {
    expect(texts.limit_changes({ ...limit, unit: 'count' }, amount)).toContain(expected);
  },
);
