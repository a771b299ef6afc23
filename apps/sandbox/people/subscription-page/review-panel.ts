import { ACTIVITIES } from '../../onboarding/codes/activities.js';
import { countryByAlpha3 } from '../../onboarding/codes/countries.js';
import { legalForm } from '../../onboarding/codes/legal-forms.js';
import type {
  CompanyFile,
  KeptAddress,
  Representative,
} from '../../onboarding/companies/company-file.js';
import { html, type SafeHtml } from '../web/html.js';
import type { SubscriptionTexts } from './subscription-texts.js';

const fact = (label: string, value: string | null, texts: SubscriptionTexts): SafeHtml =>
  html` <div>
    <dt>${label}</dt>
    ${
      value === null || value === ''
        ? html`<dd class="absent">${texts.notGiven}</dd>`
        : html`<dd>${value}</dd>`
    }
  </div>`;

const nameOf = (file: CompanyFile, personId: string): string => {
  const person = file.persons[personId];
  return `${person?.['first-name'] ?? ''} ${person?.['last-name'] ?? ''}`;
};

const representativeName = (file: CompanyFile, representative: Representative): string => {
  if (representative.company === undefined) return nameOf(file, representative.person);
  const inner = representative.company.representatives
    .map((each) => representativeName(file, each))
    .join(', ');
  return `${representative.company['legal-name']} (${inner})`;
};

const addressText = (address: KeptAddress | undefined): string | null =>
  address === undefined
    ? null
    : [
        address.line1,
        `${address['zip-code'] ?? ''} ${address.city ?? ''}`.trim(),
        countryByAlpha3(address.country)?.name,
      ]
        .filter(Boolean)
        .join(', ');

const percent = (share: number | undefined): string =>
  share === undefined ? '' : ` (${Math.round(share * 1_000) / 10} %)`;

/**
 * The details that the merchant signs for. Only the end of the IBAN is shown, which is enough to
 * recognise the bank account.
 */
export const reviewPanel = (file: CompanyFile, texts: SubscriptionTexts): SafeHtml => {
  const { user, iban } = file;
  const owners = file.owners
    .map((owner) => `${nameOf(file, owner.person)}${percent(owner.capital)}`)
    .join(', ');
  const activity = ACTIVITIES.find(({ code }) => code === file['activity-reference']);
  return html` <section class="card panel" aria-labelledby="review-title">
    <h2 class="form-title" id="review-title">${texts.review}</h2>
    <dl class="facts">
      ${fact(texts.company, file['legal-name'], texts)}
      ${fact(texts.legalForm, legalForm(file['legal-form'])?.description ?? null, texts)}
      ${fact(texts.legalId, file['legal-id'], texts)}
      ${fact(texts.address, addressText(file['headquarters-address']), texts)}
      ${fact(texts.activity, activity?.name ?? null, texts)}
      ${fact(texts.iban, iban === undefined ? null : `•••• ${iban.slice(-4)}`, texts)}
      ${fact(texts.website, file.url ?? null, texts)}
      ${fact(
        texts.contact,
        [nameOf(file, user.person), user.contact.email, user.contact.phone]
          .filter(Boolean)
          .join(', '),
        texts,
      )}
      ${fact(
        texts.representatives,
        file.representatives
          .map((representative) => representativeName(file, representative))
          .join(', '),
        texts,
      )}
      ${fact(texts.owners, owners, texts)}
    </dl>
    <p class="hint">${texts.wrongHint}</p>
  </section>`;
};
