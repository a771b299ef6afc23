import type { Locale } from '../web/locale.js';

const english = {
  bank: 'Sandbox Bank',
  title: 'Confirm your payment',
  question: 'Do you confirm this payment?',
  merchant: 'Merchant',
  card: 'Card',
  time: 'Date',
  purchase: 'Purchase',
  approve: 'Approve',
  refuse: 'Decline',
  leave: 'Leave without deciding',
  sending: 'One moment…',
  waiting: 'Waiting for the payment page…',
  approved: 'Approved. Thank you.',
  refused: 'You declined this payment.',
  left: 'The payment was neither confirmed nor declined.',
  overTitle: 'This page has expired',
  over: 'The payment was already confirmed or declined, or the time limit has passed.',
  failed: 'The bank did not answer. Please try again.',
  elsewhere:
    'This page can only be opened from the payment page: go back to the merchant and start the payment again.',
  notice: 'This bank is part of the sandbox and serves to test payments.',
};

/** The texts of the bank's page. */
export type BankTexts = Readonly<Record<keyof typeof english, string>>;

const french: BankTexts = {
  bank: 'Banque Sandbox',
  title: 'Confirmez votre paiement',
  question: 'Confirmez-vous ce paiement ?',
  merchant: 'Marchand',
  card: 'Carte',
  time: 'Date',
  purchase: 'Achat',
  approve: 'Approuver',
  refuse: 'Refuser',
  leave: 'Quitter sans décider',
  sending: 'Un instant…',
  waiting: 'En attente de la page de paiement…',
  approved: 'Approuvé. Merci.',
  refused: 'Vous avez refusé ce paiement.',
  left: 'Le paiement n’a été ni confirmé ni refusé.',
  overTitle: 'Cette page a expiré',
  over: 'Le paiement a déjà été confirmé ou refusé, ou le délai est dépassé.',
  failed: 'La banque n’a pas répondu. Veuillez réessayer.',
  elsewhere:
    'Cette page ne s’ouvre que depuis la page de paiement : revenez chez le marchand et recommencez le paiement.',
  notice: 'Cette banque fait partie du bac à sable et sert à tester des paiements.',
};

const TEXTS: Readonly<Record<Locale, BankTexts>> = { en: english, fr: french };

export const bankTexts = (locale: Locale): BankTexts => TEXTS[locale];
