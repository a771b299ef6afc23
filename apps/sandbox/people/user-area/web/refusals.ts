import type { Locale } from '../../web/locale.js';
import { statusText } from './statuses.js';

/**
 * The French texts of the API's error messages for manual actions. `$1` is the status in the
 * message, in French.
 */
const REFUSALS: readonly (readonly [english: RegExp, french: string])[] = [
  [
    /^Payment is (.+): only an authorized payment can be captured$/,
    'le paiement est « $1 » : seul un paiement autorisé peut être capturé.',
  ],
  [/^The authorization has expired$/, 'l’autorisation a expiré.'],
  [
    /^The payer may still be on the page: wait, the payment will be captured automatically$/,
    'le payeur est peut-être encore sur la page : attendez, le paiement sera capturé automatiquement.',
  ],
  [
    /^Payment intent is being sent to the bank: it can no longer be canceled$/,
    'l’envoi à la banque est en cours : il est trop tard pour annuler.',
  ],
  [
    /^Payment intent is (.+): it can no longer be canceled$/,
    'l’intention de paiement est « $1 » : il est trop tard pour l’annuler.',
  ],
  [
    /^Payment is (.+): cancel (?:it in the User Area|its payment intent) instead of refunding it$/,
    'le paiement est « $1 » : annulez-le plutôt que de le rembourser.',
  ],
  [
    /^Payment is disputed: it cannot be refunded, even if the dispute was won$/,
    'le paiement est contesté : il n’est pas remboursable, même si la contestation est gagnée.',
  ],
  [
    /^Payment is (.+): there is nothing to refund$/,
    'le paiement est « $1 » : il n’y a rien à rembourser.',
  ],
  [/^Payment is already refunded$/, 'le paiement est déjà remboursé.'],
  [
    /^Payment has only (\d+) left to refund$/,
    'il ne reste que $1 (en unités mineures) à rembourser.',
  ],
  [
    /^Input should be a dispute code of a (?:card|sepa) payment$/,
    'ce code n’est pas un motif de contestation de ce paiement.',
  ],
  [
    /^Payment is (.+): only a captured payment can be disputed$/,
    'le paiement est « $1 » : seul un paiement capturé peut être contesté.',
  ],
  [
    /^Payment is refunded: nothing is left to dispute$/,
    'le paiement est remboursé : il ne reste rien à contester.',
  ],
  [
    /^Payment is (.+): it can no longer be canceled$/,
    'le paiement est « $1 » : il est trop tard pour l’annuler.',
  ],
  [
    /^Dispute is (.+): evidence is not accepted$/,
    'la contestation est « $1 » : elle n’accepte plus de justificatifs.',
  ],
  [
    /^Evidence may have at most (\d+) files of at most 5 MiB each$/,
    'les preuves comptent au plus $1 fichiers, de 5 Mio au plus chacun.',
  ],
  [/^Field required: a text or a file$/, 'il faut un texte ou un fichier.'],
  [/^Input must NOT have more than (\d+) characters$/, 'le texte a plus de $1 caractères.'],
  [/^Extra inputs are not permitted$/, 'le formulaire contient un champ inconnu.'],
  [/^The multipart body is malformed$/, 'le formulaire est incomplet.'],
  [
    /^Dispute is (.+): this decision is not possible in this status$/,
    'la contestation est « $1 » : cette décision n’est pas possible.',
  ],
  [
    /^Refund is (.+): it cannot fail in this status$/,
    'le remboursement est « $1 » : il ne peut plus échouer.',
  ],
  [
    /^Payout is being created: try again in a moment$/,
    'le versement est en préparation : réessayez dans un instant.',
  ],
  [/^Payout is (.+): it can no longer fail$/, 'le versement est « $1 » : il ne peut plus échouer.'],
  [
    /^Webhook endpoint is disabled: enable it first$/,
    'l’endpoint webhook est désactivé : activez-le d’abord.',
  ],
  [
    /^The form is out of date: open the page again and submit the form again$/,
    'le formulaire n’est plus valable : rouvrez la page et renvoyez-le.',
  ],
  [/^Payment intent `(.+)` not found$/, 'l’intention de paiement $1 est introuvable.'],
  [/^Payment `(.+)` not found$/, 'le paiement $1 est introuvable.'],
  [/^Refund `(.+)` not found$/, 'le remboursement $1 est introuvable.'],
  [/^Payout `(.+)` not found$/, 'le versement $1 est introuvable.'],
  [/^Event `(.+)` not found$/, 'l’événement $1 est introuvable.'],
  [/^Webhook endpoint `(.+)` not found$/, 'l’endpoint webhook $1 est introuvable.'],
  [/^Not found$/, 'introuvable.'],
];

/** An error message in the reader's language; in English when it has no French text. */
export const refusalIn = (locale: Locale, english: string): string => {
  if (locale !== 'fr') return english.replaceAll('`', '');
  for (const [pattern, french] of REFUSALS) {
    const [, part = ''] = pattern.exec(english) ?? [];
    if (!pattern.test(english)) continue;
    const status = part === 'not authorized yet' ? 'awaiting_bank' : part;
    return french.replace('$1', statusText(status, 'fr'));
  }
  return english;
};
