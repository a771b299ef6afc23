/**
 * The codes that a payer may see: those of docs/provider/payments.md#card-dispute-codes and
 * docs/provider/payments.md#sepa-dispute-codes that are not marked (M).
 */
const SHOWN_TO_PAYERS: ReadonlySet<string> = new Set([
  '14',
  '42',
  '45',
  '1261',
  '4808',
  '4834',
  '4853',
  'AC01',
  'AC04',
  'AC06',
  'AC13',
  'AG01',
  'AG02',
  'AM04',
  'AM05',
  'BE05',
  'CNOR',
  'DNOR',
  'ED05',
  'FF01',
  'MD01',
  'MD02',
  'MD06',
  'MD07',
  'MS02',
  'MS03',
  'RC01',
  'RR01',
  'RR02',
  'RR03',
  'RR04',
  'SL01',
]);

const TRANSACTION_DISPUTED = '45';

/**
 * The reason code that the payer may see. Codes that must not be shown, and unrecognised codes,
 * become the generic code.
 */
export const payerResponseOf = (response: string): string =>
  SHOWN_TO_PAYERS.has(response) ? response : TRANSACTION_DISPUTED;
