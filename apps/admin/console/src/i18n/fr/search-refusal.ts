/**
 * The server's messages about searches that it cannot understand, each with its French text. The
 * server sends no codes, because the messages name words of the search and what is possible.
 */
const REFUSALS: readonly (readonly [message: RegExp, french: string])[] = [
  [
    new RegExp(
      '^“(.+)” is too short: enter at least 3 letters or digits in a row of an id or ' +
        'reference$',
    ),
    '« $1 » est trop court : saisissez au moins 3 lettres ou chiffres consécutifs ' +
      'd’un identifiant ou d’une référence',
  ],
  [
    /^“(.+)” is not a currency: use one of (.+)$/,
    '« $1 » n’est pas une devise : choisissez parmi $2',
  ],
  [
    /^“(.+)” is not a status here: use one of (.+)$/,
    '« $1 » n’est pas un statut ici : choisissez parmi $2',
  ],
  [
    new RegExp(
      '^“(.+:)” is not a search operator here: use one of (.+), or put a text that ' +
        'contains a colon in quotes$',
    ),
    '« $1 » n’est pas un filtre de recherche ici : choisissez parmi $2, ou mettez ' +
      'entre guillemets un texte qui contient deux-points',
  ],
  [
    /^a search has at most (\d+) words and operators$/,
    'une recherche compte au plus $1 mots et filtres',
  ],
  [
    /^“(.+)” is not an amount: write (.+) or (.+)$/,
    '« $1 » n’est pas un montant : écrivez $2 ou $3',
  ],
  [
    /^“(.+)” is not a date: write (.+) or (.+); days are in UTC$/,
    '« $1 » n’est pas une date : écrivez $2 ou $3 ; les jours sont en UTC',
  ],
  [/^“(.+)” is not possible: use one of (.+)$/, '« $1 » n’est pas possible : choisissez parmi $2'],
  [
    /^more than (\d+) rows contain “(.+)”: enter more of it$/,
    'plus de $1 lignes contiennent « $2 » : saisissez un texte plus long',
  ],
];

/** The French text of a message about a search; null: the message is unknown. */
export const searchRefusal = (detail: string): string | null => {
  const found = REFUSALS.find(([message]) => message.test(detail));
  return found === undefined ? null : detail.replace(found[0], found[1]);
};
