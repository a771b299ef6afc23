import type { CaseKind, CaseNotice } from '#operations';
import type { NoticeLanguage } from '../notice-config.js';

interface Texts {
  /** The name of each kind of case, for one case and for several cases. */
  readonly kinds: Readonly<Record<CaseKind, readonly [string, string]>>;
  readonly acts: Readonly<Record<CaseNotice['acts'], string>>;
  readonly opened: (what: string) => string;
  readonly grown: (what: string) => string;
  readonly near: (what: string) => string;
  readonly approval: (what: string) => string;
  readonly more: (cases: number) => string;
  readonly atRisk: string;
  readonly deadline: string;
  readonly mustAct: string;
  readonly open: string;
  readonly approve: string;
  /** The mode of the cases, if it is not live. */
  readonly test: string;
  /** Stands between a label and its value. */
  readonly colon: string;
}

const EN: Texts = {
  kinds: {
    unpaid_refund: ['refund not paid to the payer', 'refunds not paid to their payers'],
    failed_request: ['failed provider request', 'failed provider requests, one cause'],
    rejected_capture: ['rejected capture', 'captures rejected for the same reason'],
    lapsing_authorization: ['authorization about to expire', 'authorizations about to expire'],
    unknown_result: ['unknown result of a request', 'requests with an unknown result'],
    mismatch: ['status mismatch', 'status mismatches of the same kind'],
    reconciliation_break: ['reconciliation break', 'reconciliation breaks of the same kind'],
    failed_reaction: [
      'failed automatic reaction',
      'automatic reactions failed with the same error',
    ],
    blocked_stream: ['blocked stream', 'blocked streams'],
    silent_merchant: [
      'merchant status unchanged for too long',
      'merchant statuses unchanged for too long',
    ],
    failing_endpoint: ['failing webhook endpoint', 'failing webhook endpoints'],
  },
  acts: {
    operator: 'an operator',
    approver: 'an approver',
    platform: 'the platform',
    provider: 'the provider',
  },
  opened: (what) => `New case: ${what}`,
  grown: (what) => `Growing incident: ${what}`,
  near: (what) => `Deadline within 24 hours: ${what}`,
  approval: (what) => `An action awaits approval: ${what}`,
  more: (cases) => `${cases} further new cases`,
  atRisk: 'Money at risk',
  deadline: 'Deadline',
  mustAct: 'Waiting for',
  open: 'Open the case',
  approve: 'Approve or reject',
  test: 'test',
  colon: ': ',
};

const FR: Texts = {
  kinds: {
    unpaid_refund: [
      'remboursement non reçu par le payeur',
      'remboursements non reçus par les payeurs',
    ],
    failed_request: [
      'requête au prestataire en échec',
      'requêtes au prestataire en échec, même cause',
    ],
    rejected_capture: ['capture rejetée', 'captures rejetées pour le même motif'],
    lapsing_authorization: ['autorisation bientôt expirée', 'autorisations bientôt expirées'],
    unknown_result: ['requête au résultat inconnu', 'requêtes au résultat inconnu'],
    mismatch: ['écart de statut', 'écarts de statut de même nature'],
    reconciliation_break: ['écart de rapprochement', 'écarts de rapprochement de même nature'],
    failed_reaction: [
      'réaction automatique en échec',
      'réactions automatiques en échec avec la même erreur',
    ],
    blocked_stream: ['flux d’événements bloqué', 'flux d’événements bloqués'],
    silent_merchant: [
      'statut du marchand inchangé depuis trop longtemps',
      'statuts de marchands inchangés depuis trop longtemps',
    ],
    failing_endpoint: ['endpoint webhook en échec', 'endpoints webhook en échec'],
  },
  acts: {
    operator: 'opérateur',
    approver: 'approbateur',
    platform: 'plateforme',
    provider: 'prestataire',
  },
  opened: (what) => `Nouveau dossier : ${what}`,
  grown: (what) => `Incident qui s’étend : ${what}`,
  near: (what) => `Échéance dans les 24 heures : ${what}`,
  approval: (what) => `Une action attend une approbation : ${what}`,
  more: (cases) => `${cases} autres nouveaux dossiers`,
  atRisk: 'Montant en jeu',
  deadline: 'Échéance',
  mustAct: 'En attente de',
  open: 'Ouvrir le dossier',
  approve: 'Approuver ou rejeter',
  test: 'test',
  colon: ' : ',
};

const TEXTS: Readonly<Record<NoticeLanguage, Texts>> = { en: EN, fr: FR };

/** The text of a notice, and its first line as the subject: plain text without data of payers. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

const subjectOf = (t: Texts, { occasion, kind, cases, mode }: CaseNotice): string => {
  const [one, many] = t.kinds[kind];
  const which = cases === 1 ? one : `${cases} ${many}`;
  const what = mode === 'test' ? `${which} (${t.test})` : which;
  switch (occasion) {
    case 'opened':
      return t.opened(what);
    case 'grown':
      return t.grown(what);
    case 'deadline':
      return t.near(what);
    case 'approval':
      return t.approval(what);
    case 'more':
      return t.more(cases);
  }
};

const amountText = (currency: string, minor: number, language: NoticeLanguage): string => {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

/** The time to the minute, in UTC because the reader's time zone is unknown. */
const timeText = (instant: string): string =>
  `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The text of a notice. `origin` is the origin of the console, to which the notice links. */
export const noticeText = (
  notice: CaseNotice,
  origin: string,
  language: NoticeLanguage,
): NoticeText => {
  const t = TEXTS[language];
  const { occasion, caseId, amounts, deadline, acts } = notice;
  const subject = subjectOf(t, notice);
  if (occasion === 'more')
    return { subject, text: `${subject}\n${t.open}${t.colon}${origin}/cases` };
  const money = Object.entries(amounts).map(([currency, minor]) =>
    amountText(currency, minor, language),
  );
  const lines = [
    subject,
    money.length > 0 && `${t.atRisk}${t.colon}${money.join(' + ')}`,
    deadline !== null && `${t.deadline}${t.colon}${timeText(deadline)}`,
    `${t.mustAct}${t.colon}${t.acts[acts]}`,
    `${occasion === 'approval' ? t.approve : t.open}${t.colon}${origin}/cases/${encodeURIComponent(caseId)}`,
  ];
  return { subject, text: lines.filter((line) => line !== false).join('\n') };
};
