import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleModule } from '../console-module.fixture.js';
import { FOUND_BY } from './search.controller.js';

interface Shell {
  readonly foundBy: Readonly<Record<string, string>>;
  readonly searchRefusal: (detail: string) => string | null;
}

const shellIn = async (language: 'en' | 'fr'): Promise<Shell> =>
  (await consoleModule<{ readonly shell: Shell }>(`i18n/${language}/shell`)).shell;

/** A message of each kind about a search that cannot be understood. */
const REFUSALS: Readonly<Record<string, string>> = {
  '“a-b” is too short: enter at least 3 letters or digits in a row of an id or reference':
    '« a-b » est trop court : saisissez au moins 3 lettres ou chiffres consécutifs d’un ' +
    'identifiant ou d’une référence',
  '“xyz” is not a currency: use one of eur, aud':
    '« xyz » n’est pas une devise : choisissez parmi eur, aud',
  '“paid” is not a status here: use one of open, captured':
    '« paid » n’est pas un statut ici : choisissez parmi open, captured',
  '“payer:” is not a search operator here: use one of status:, or put a text that contains a colon in quotes':
    '« payer: » n’est pas un filtre de recherche ici : choisissez parmi status:, ou mettez ' +
    'entre guillemets un texte qui contient deux-points',
  'a search has at most 10 words and operators': 'une recherche compte au plus 10 mots et filtres',
  '“amount:x” is not an amount: write amount:44.85, amount:>100 or amount:10..20':
    '« amount:x » n’est pas un montant : écrivez amount:44.85, amount:>100 ou amount:10..20',
  '“date:x” is not a date: write date:2026-03 or date:2026-03-01; days are in UTC':
    '« date:x » n’est pas une date : écrivez date:2026-03 ou date:2026-03-01 ; les jours sont en UTC',
  '“method:x” is not possible: use one of card, sepa':
    '« method:x » n’est pas possible : choisissez parmi card, sepa',
  'more than 500 rows contain “abc”: enter more of it':
    'plus de 500 lignes contiennent « abc » : saisissez un texte plus long',
};

test.each(Object.entries(REFUSALS))(
  'the message about a search “%s” is shown in French',
  async (message, french) => {
    const { searchRefusal } = await shellIn('fr');
    expect(searchRefusal(message)?.replaceAll('\u00A0', ' ')).toBe(french);
  },
);

test('each message about a search has an example in this spec', () => {
  const sources = readdirSync('libs/lists')
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join('libs/lists', name), 'utf8'));
  const messages = sources.flatMap((one) => one.match(/new InvalidSearch\(|refused\(`/g) ?? []);
  expect(messages.length).toBe(Object.keys(REFUSALS).length);
});

test('each field whose value can equal the searched text has a text in both languages', async () => {
  for (const language of ['en', 'fr'] as const) {
    const { foundBy } = await shellIn(language);
    expect(Object.keys(foundBy).toSorted()).toEqual(FOUND_BY.toSorted());
  }
});
