import type { Locale } from '../web/locale.js';

const english = {
  bank: 'Sandbox Bank',
  title: 'Confirm your payment',
  question: 'Is it you who is paying?',
  merchant: 'Merchant',
  card: 'Card',
  time: 'Date',
  unnamed: 'Online purchase',
  approve: 'Approve',
  refuse: 'Refuse',
  leave: 'Leave without deciding',
  sending: 'One moment…',
  waiting: 'Waiting for the payment page…',
  approved: 'Approved. Thank you.',
  refused: 'You refused this payment.',
  left: 'Nothing was decided.',
  overTitle: 'This page has expired',
  over: 'The payment was decided elsewhere, or the time is over. Nothing more can be done here.',
  failed: 'The bank did not answer. Please try again.',
  elsewhere: 'This page opens from the payment page only.',
  notice: 'This bank is part of the sandbox: it exists to try payments out.',
};

/** The texts of the bank's page. */
export type BankTexts = Readonly<Record<keyof typeof english, string>>;

const french: BankTexts = {
  bank: 'Banque Sandbox',
  title: 'Confirmez votre paiement',
  question: 'Est-ce bien vous qui payez ?',
  merchant: 'Marchand',
  card: 'Carte',
  time: 'Date',
  unnamed: 'Achat en ligne',
  approve: 'Approuver',
  refuse: 'Refuser',
  leave: 'Quitter sans décider',
  sending: 'Un instant…',
  waiting: 'En attente de la page de paiement…',
  approved: 'Approuvé. Merci.',
  refused: 'Vous avez refusé ce paiement.',
  left: 'Rien n’a été décidé.',
  overTitle: 'Cette page a expiré',
  over: 'Le paiement a été décidé ailleurs, ou le délai est passé. Rien de plus à faire ici.',
  failed: 'La banque n’a pas répondu. Veuillez réessayer.',
  elsewhere: 'Cette page ne s’ouvre que depuis la page de paiement.',
  notice: 'Cette banque fait partie du bac à sable : elle sert à essayer des paiements.',
};

const TEXTS: Readonly<Record<Locale, BankTexts>> = { en: english, fr: french };

export const bankTexts = (locale: Locale): BankTexts => TEXTS[locale];
