import { identifiedPersons } from '../../onboarding/companies/company-file.js';
import type { FullCompany, UploadRow } from '../../onboarding/companies/company-row.js';
import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import type { SubscriptionTexts } from './subscription-texts.js';

const labelOf = (company: FullCompany, upload: UploadRow, texts: SubscriptionTexts): string => {
  if (upload.document === 'kbis') return texts.kbis;
  if (upload.document === 'iban') return texts.ibanPaper;
  const person = company.file.persons[upload.person_id ?? ''];
  const name = `${person?.['first-name'] ?? ''} ${person?.['last-name'] ?? ''}`;
  return texts.idcard.replace('{name}', name);
};

const fileField = (id: string, label: string, accept: string): SafeHtml =>
  html` <div class="field">
    <label for="${id}">${label}</label>
    <input class="file" id="${id}" type="file" data-file accept="${accept}" />
  </div>`;

const metaField = (id: string, name: string, label: string, type: string): SafeHtml =>
  html` <div class="field">
    <label for="${id}">${label}</label>
    <div class="control">
      <input id="${id}" type="${type}" data-meta="${name}" autocomplete="off" />
    </div>
  </div>`;

const ANY = '.pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png';

const cardFields = (token: string, texts: SubscriptionTexts): SafeHtml =>
  html` <div class="field-row">
      ${fileField(`front-${token}`, texts.front, ANY)}
      ${fileField(`back-${token}`, texts.back, ANY)}
    </div>
    ${metaField(`number-${token}`, 'number', texts.number, 'text')}
    <div class="field-row">
      ${metaField(`issue-${token}`, 'date-issue', texts.issued, 'date')}
      ${metaField(`expiry-${token}`, 'date-expiry', texts.expires, 'date')}
    </div>`;

const documentItem = (
  company: FullCompany,
  upload: UploadRow,
  texts: SubscriptionTexts,
): SafeHtml => {
  const label = labelOf(company, upload, texts);
  const { token, document } = upload;
  const isThere = company.documents.some((known) => known.token === token);
  const fields =
    document === 'idcard'
      ? cardFields(token, texts)
      : fileField(
          `file-${token}`,
          texts.choose,
          document === 'iban' ? '.pdf,application/pdf' : ANY,
        );
  return html`
<li class="paper" data-there="${isThere ? 'yes' : 'no'}" data-document="${document}">
  <details${isThere ? null : html` open`}>
    <summary>
      <span class="paper-mark">${icon(isThere ? 'check' : 'clock')}</span>
      <span class="paper-name">${label}</span>
      <span class="paper-state">${isThere ? texts.received : texts.expected}</span>
    </summary>
    <div class="paper-form" data-upload="${token}">
      ${fields}
      <p class="field-error" role="alert"></p>
      <button class="second" type="button"
        aria-label="${texts.uploadOf.replace('{document}', label)}">${texts.upload}</button>
    </div>
  </details>
</li>`;
};

/** Every expected document; a missing document has a file chooser. */
export const documentPanel = (company: FullCompany, texts: SubscriptionTexts): SafeHtml => {
  const persons = identifiedPersons(company.file);
  const order = ({ person_id: id }: UploadRow): number => (id === null ? -1 : persons.indexOf(id));
  const uploads = [...company.uploads].sort((a, b) => order(a) - order(b));
  return html` <section class="card panel" aria-labelledby="documents-title">
    <h2 class="form-title" id="documents-title">${texts.documents}</h2>
    <p class="hint">${texts.documentsLead}</p>
    <ul class="papers">
      ${uploads.map((upload) => documentItem(company, upload, texts))}
    </ul>
  </section>`;
};
