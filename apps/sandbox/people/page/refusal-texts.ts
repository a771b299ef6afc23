import type { Method } from '../../money/fees.js';
import type { Locale } from '../web/locale.js';

type Wording = Readonly<Record<Locale, string>>;

const TRY_ANOTHER: Wording = {
  en: 'Your bank did not accept this payment. Try another card, or contact your bank.',
  fr: 'Votre banque n’a pas accepté ce paiement. Essayez une autre carte ou contactez-la.',
};

/**
 * Advice for the payer, for the codes that the payer may see. See docs/provider/payments.md#errors.
 */
const BY_CODE: Readonly<Record<string, Wording>> = {
  '12': {
    en: 'Your bank cannot make this payment. Try another card.',
    fr: 'Votre banque ne peut pas effectuer ce paiement. Essayez une autre carte.',
  },
  '14': {
    en: 'This card number is not accepted. Check it, or try another card.',
    fr: 'Ce numéro de carte n’est pas accepté. Vérifiez-le ou essayez une autre carte.',
  },
  '51': {
    en: 'There is not enough money on this card. Try another card.',
    fr: 'La provision de cette carte est insuffisante. Essayez une autre carte.',
  },
  '54': {
    en: 'This card has expired. Try another card.',
    fr: 'Cette carte a expiré. Essayez une autre carte.',
  },
  '61': {
    en: 'The amount is above the limit of this card. Try another card.',
    fr: 'Le montant dépasse le plafond de cette carte. Essayez une autre carte.',
  },
  '82': {
    en: 'The security code is wrong. Check it and try again.',
    fr: 'Le code de sécurité est erroné. Vérifiez-le et réessayez.',
  },
  '91': {
    en: 'Your bank cannot be reached at the moment. Try again in a while.',
    fr: 'Votre banque est injoignable pour le moment. Réessayez plus tard.',
  },
  '92': {
    en: 'This card cannot be used here. Try another card.',
    fr: 'Cette carte n’est pas utilisable ici. Essayez une autre carte.',
  },
  A1: {
    en: 'Your bank requires a confirmation that it did not receive. Try again, or use another card.',
    fr: 'Votre banque exige une confirmation qu’elle n’a pas reçue. Réessayez ou changez de carte.',
  },
};

const TRY_ANOTHER_ACCOUNT: Wording = {
  en: 'This account cannot be debited. Check the IBAN, or use another account.',
  fr: 'Ce compte ne peut pas être débité. Vérifiez l’IBAN ou utilisez un autre compte.',
};

const CLOSED_MERCHANT: Wording = {
  en: 'This merchant no longer accepts payments. You have not been charged.',
  fr: 'Ce commerçant n’accepte plus de paiements. Vous n’avez pas été débité.',
};

/** The text for a refused payment, by the code that the payer may see: the reason, and advice. */
export const refusalText = (
  maskedCode: string,
  locale: Locale,
  method: Method = 'card',
): string => {
  if (maskedCode === '03') return CLOSED_MERCHANT[locale];
  if (method === 'sepa') return TRY_ANOTHER_ACCOUNT[locale];
  return (BY_CODE[maskedCode] ?? TRY_ANOTHER)[locale];
};
