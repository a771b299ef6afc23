import { assert } from '#kernel';
import { rgb } from 'pdf-lib';
import type { Creditor } from './creditor.js';
import type { MandateRow } from './mandate-resource.js';
import { ACCENT, GOOD, INK, PAGE, PdfPage, SOFT } from './pdf-page.js';
import type { SignedFor, SignedForm } from './signed-form.js';

interface Signed {
  readonly mandate: MandateRow;
  readonly form: SignedForm;
  readonly creditor: Creditor;
}

const LEGAL = [
  'By signing this mandate form, you authorise the creditor to send instructions to your bank to ' +
    'debit your account, and your bank to debit your account in accordance with the instructions ' +
    'from the creditor. As part of your rights, you are entitled to a refund from your bank ' +
    'under the terms and conditions of your agreement with your bank. A refund must be claimed ' +
    'within 8 weeks starting from the date on which your account was debited.',
  'En signant ce formulaire de mandat, vous autorisez le créancier à envoyer des instructions à ' +
    'votre banque pour débiter votre compte, et votre banque à débiter votre compte conformément ' +
    'aux instructions du créancier. Vous bénéficiez du droit d’être remboursé par votre banque ' +
    'selon les conditions décrites dans la convention que vous avez passée avec elle. Une ' +
    'demande de remboursement doit être présentée dans les 8 semaines suivant la date de débit de votre ' +
    'compte.',
] as const;

const COLUMN = { left: PAGE.margin, right: 310, width: 229 } as const;

interface Field {
  readonly label: string;
  readonly value: string;
}

/** Writes the fields side by side, one column each; the next row starts below the longest field. */
const fieldRow = (page: PdfPage, fields: readonly Field[]): void => {
  const top = page.y;
  const ends = fields.map(({ label, value }, index) => {
    page.y = top;
    const x = index === 0 ? COLUMN.left : COLUMN.right;
    page.text(label, { size: 8.5, color: SOFT }, x, COLUMN.width);
    page.down(1);
    page.text(value, { size: 11.5, isBold: true }, x, COLUMN.width);
    return page.y;
  });
  page.y = Math.min(...ends) - 13;
};

const section = (page: PdfPage, title: string): void => {
  page.rule();
  page.down(14);
  page.text(title, { size: 9, isBold: true, color: ACCENT });
  page.down(7);
};

const amountOf = ({ amount, description }: SignedFor): string => {
  const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });
  return `${euros.format(amount / 100)}${description === null ? '' : ` - ${description}`}`;
};

/** `2026-03-01 14:05:09 UTC` */
const shownTime = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;

const head = (page: PdfPage, { mandate }: Signed): void => {
  page.y = PAGE.height;
  page.box(0, PAGE.width, 7, ACCENT);
  page.y = PAGE.height - PAGE.margin;
  page.text('SEPA Direct Debit Mandate', { size: 23, isBold: true });
  page.text('Mandat de prélèvement SEPA', { size: 13, color: SOFT });
  if (!mandate.live) {
    page.down(5);
    page.text('Test mode: no account is debited. / Mode test : aucun compte n’est débité.', {
      size: 9,
      isBold: true,
      color: rgb(0.54, 0.35, 0),
    });
  }
  page.down(20);
};

const parties = (page: PdfPage, { mandate, form, creditor }: Signed): void => {
  section(page, 'MANDATE / MANDAT');
  fieldRow(page, [
    { label: 'Unique mandate reference / Référence unique du mandat', value: mandate.rum ?? '' },
    { label: 'Type of payment / Type de paiement', value: 'Recurrent / Récurrent' },
  ]);
  section(page, 'CREDITOR / CRÉANCIER');
  fieldRow(page, [
    { label: 'Name / Nom', value: creditor.name },
    { label: 'Creditor identifier / Identifiant créancier', value: creditor.id },
  ]);
  section(page, 'DEBTOR / DÉBITEUR');
  fieldRow(page, [
    { label: 'Name / Nom', value: form.name },
    { label: 'Account (IBAN) / Compte (IBAN)', value: form.iban },
  ]);
  if (form.bic !== null) fieldRow(page, [{ label: 'BIC', value: form.bic }]);
  if (form.first_debit === null) return;
  fieldRow(page, [
    { label: 'First debit / Premier prélèvement', value: amountOf(form.first_debit) },
    { label: 'Payment / Paiement', value: mandate.intent_id ?? '' },
  ]);
};

const legal = (page: PdfPage): void => {
  section(page, 'AUTHORISATION / AUTORISATION');
  for (const [index, paragraph] of LEGAL.entries()) {
    page.text(paragraph, { size: 9.5, color: index === 0 ? INK : SOFT });
    page.down(8);
  }
  page.down(8);
};

const SIGNATURE_HEIGHT = 98;

/** Draws the proof of the signature in a box. */
const signature = (page: PdfPage, { mandate, form }: Signed): void => {
  assert(mandate.signed_at !== null, 'a signed mandate has its signature time');
  const at = shownTime(mandate.signed_at);
  page.box(PAGE.margin, PAGE.width - 2 * PAGE.margin, SIGNATURE_HEIGHT, rgb(0.95, 0.98, 0.965));
  page.box(PAGE.margin, 4, SIGNATURE_HEIGHT, GOOD);
  const x = PAGE.margin + 20;
  page.down(14);
  page.text('SIGNED / SIGNÉ', { size: 9, isBold: true, color: GOOD }, x);
  page.down(4);
  // A smaller font, so that the longest name fits on one line.
  page.text(form.name, { size: form.name.length > 32 ? 10 : 17, isBold: true }, x);
  page.down(3);
  const how =
    mandate.origin === 'page'
      ? `Signed electronically on ${at}, with the code sent to the telephone ending in ` +
        `${mandate.phone_last4 ?? ''}.`
      : `Signed on ${at}, as stated by the merchant who imported this mandate.`;
  page.text(how, { size: 9.5 }, x, PAGE.width - PAGE.margin - x - 16);
  page.text(`Proof / Preuve : ${mandate.id}`, { size: 8.5, color: SOFT }, x);
};

/**
 * The signed authorization form, one A4 page in English and French. The document of a mandate is
 * the same, byte for byte, each time it is generated. The IBAN is not stored, so the form shows its
 * country and last digits.
 */
export const mandatePdf = async (signed: Signed): Promise<Buffer> => {
  const { mandate, form } = signed;
  assert(mandate.signed_at !== null, 'only a signed mandate has a document');
  const page = await PdfPage.begin();
  head(page, signed);
  parties(page, signed);
  legal(page);
  signature(page, signed);
  const { document } = page;
  const signedAt = new Date(mandate.signed_at);
  const title = `SEPA direct debit mandate ${mandate.rum ?? ''}`;
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setSubject(`Signed by ${form.name}`);
  document.setLanguage('en');
  document.setProducer('Payment sandbox');
  document.setCreationDate(signedAt);
  document.setModificationDate(signedAt);
  return Buffer.from(await document.save({ useObjectStreams: false }));
};
