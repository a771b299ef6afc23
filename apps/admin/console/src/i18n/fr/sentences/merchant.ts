import type { EventOf, Sentences } from '../../../story/sentence';
import { merchants } from '../merchants';
import { mismatch } from './mismatch';

/** The names of provider requests, as they follow `la demande` and `le résultat`. */
const CALLS = {
  create_company: ['d’inscription', 'de l’inscription'],
  order_terminal: ['de commande du terminal', 'de la commande du terminal'],
  cancel_terminal: ['d’annulation du terminal', 'de l’annulation du terminal'],
} as const;

const MODES = { test: 'test', live: 'production' } as const;

const documentOf = (kind: string): string => merchants.requirements[`documents.${kind}`] ?? kind;

export const merchantSentences: Sentences<EventOf<'merchant'>> = {
  MerchantDrafted: ({ reference, mode }, { by }) =>
    `Marchand ${reference} créé en brouillon (mode ${MODES[mode]})${by}`,
  DetailsRevised: ({ fields }, { requirement, by }) =>
    `Données modifiées : ${fields.map(requirement).join(', ')}${by}`,
  RegistrationRequested: (_, { by }) => `Inscription de la société demandée au prestataire${by}`,
  RegistrationRejected: ({ reason, fields }, { requirement, reason: text }) =>
    reason === 'details_erased'
      ? 'Société non inscrite : les données personnelles du marchand ont été effacées avant'
      : `Le prestataire a rejeté l’inscription : ${text(reason)}` +
        (fields.length === 0 ? '' : `, à cause de : ${fields.map(requirement).join(', ')}`),
  RegistrationNotFound: (_, { by }) =>
    `Confirmé : le prestataire n’a aucune société pour cette inscription${by}`,
  CompanyRegistered: ({ companyId }) => `Le prestataire a inscrit la société ${companyId}`,
  CompanyAccountObserved: ({ companyAccountId }) =>
    `Compte ${companyAccountId} de la société trouvé chez le prestataire`,
  CompanyStatusChanged: ({ status: to }, { status }) => `Statut de la société : ${status(to)}`,
  CompanyStatusConfirmed: ({ status: to }, { status }) =>
    `Une lecture plus récente a confirmé le statut de la société : ${status(to)}`,
  EarlierStatusObserved: ({ status: to, day: of }, { status, day }) =>
    `Enregistré après coup : le statut de la société était « ${status(to)} » le ${day(of)}`,
  RequirementsObserved: ({ missing }, { requirement }) =>
    missing.length === 0
      ? 'L’inscription est complète'
      : `Il manque à l’inscription : ${missing.map(requirement).join(', ')}`,
  SubscriptionLinkAvailable: 'Le marchand peut relire et signer le contrat',
  DocumentsUploaded: ({ kind, documentIds, replaces }, { by }) =>
    `Document ${replaces ? 'remplacé' : 'envoyé'} : ${documentOf(kind)} ` +
    `(${documentIds.length} ${documentIds.length > 1 ? 'fichiers' : 'fichier'})${by}`,
  DocumentRemoved: ({ documentId }, { by }) => `Document ${documentId} supprimé${by}`,
  CompanyKeysRequested: 'Clés d’API de la société demandées au prestataire',
  AccountAttached: ({ accountId, mode }) =>
    `Compte prestataire de ${MODES[mode]} ${accountId} rattaché au marchand`,
  MerchantEnabled: 'Le marchand accepte les commandes',
  MerchantDisabled: ({ reason }, { status }) =>
    'Le marchand n’accepte plus de nouvelles commandes : le statut de sa société est ' +
    status(reason),
  TerminalRequested: ({ name }, { by }) => `Terminal de paiement ${name} demandé${by}`,
  TerminalOrdered: ({ terminalId }) =>
    `Le prestataire a accepté la commande du terminal ${terminalId}`,
  TerminalOrderRejected: ({ reason }, say) =>
    `Le prestataire a rejeté la commande du terminal de paiement : ${say.reason(reason)}`,
  TerminalObserved: ({ name, status: shown, carrierName }) =>
    `Statut du terminal de paiement ${name} : ${shown}` +
    (carrierName === null ? '' : `, livré par ${carrierName}`),
  TerminalCancelRequested: ({ terminalId }, { by }) =>
    `Annulation du terminal de paiement ${terminalId} demandée${by}`,
  CompanyRequestResultUnknown: ({ request }) =>
    `Le prestataire n’a pas répondu à la demande ${CALLS[request][0]} : le résultat est inconnu`,
  CompanyRequestResultResolved: ({ request }) =>
    `Une lecture chez le prestataire a montré le résultat ${CALLS[request][1]}`,
  CompanyStatusOverdue: ({ status: since }, { status }) =>
    `Le statut de la société est inchangé depuis trop longtemps : ${status(since)}`,
  PersonalDataErased: 'Données personnelles du marchand effacées de cette application',
  CompanyMismatchObserved: mismatch,
  CompanyMismatchesReviewed: (_, { by }) => `Écarts de statut examinés${by}`,
};
