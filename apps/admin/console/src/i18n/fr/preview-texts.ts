import type { Dictionary } from '../en';
import { type AmountText, limitsText } from '../preview-text';
import { settings } from './administration';
import { lists } from './lists';
import { workflows } from './operations';
import { lowerFirst } from '../lower-first';
import { aspects } from './sentences/mismatch';

const roles = { viewer: 'lecteur', operator: 'opérateur', admin: 'administrateur' } as const;

const modes: Readonly<Record<string, string>> = {
  live: '(mode production)',
  test: '(mode test)',
};

const statuses: Readonly<Record<string, string>> = lists.paymentStatus;

/** The holders of a default limit: all keys, platforms or mandates without a limit of their own. */
const everyHolder = {
  key: 'Chaque clé d’API sans limite propre',
  platform: 'Chaque plateforme sans limite propre',
  mandate: 'Chaque mandat sans limite propre',
} as const;

export const calls: Dictionary['calls'] = {
  create_intent: 'Création de l’intention de paiement',
  debit_mandate: 'Prélèvement sur mandat',
  capture: 'Capture',
  cancel: 'Annulation',
  refund: 'Remboursement',
  create_company: 'Inscription de la société',
  order_terminal: 'Commande d’un terminal de paiement',
  cancel_terminal: 'Annulation d’un terminal de paiement',
  fetch_keys: 'Récupération des clés d’API',
};

const workflowName = (saga: string): string => workflows[saga]?.toLowerCase() ?? saga;

const workflowOf = (saga: string): string => `le workflow (${workflowName(saga)})`;

const accessOf = (
  { visible, limits }: { readonly visible: string; readonly limits: string },
  amount: AmountText,
): string =>
  `Voit ${visible || 'tout'} ; montants maximaux d’une action : ` +
  `${limits === '' ? 'sans limite' : limitsText(limits, amount)}.`;

const callOf = (call: string): string => lowerFirst(calls[call] ?? call);

export const previewTexts: Dictionary['previewTexts'] = {
  intent_read: () =>
    'Lire l’intention de paiement chez le prestataire, avec ses paiements, remboursements et ' +
    'contestations.',
  request_queued: ({ call, subjectId }) =>
    `Mettre en file d’attente pour ${subjectId} : ${callOf(call)}.`,
  later_requests_sent: () =>
    'Envoyer les requêtes du paiement qui attendent la fin de cette requête.',
  reaction_retried: ({ saga, stimulus }) =>
    `Exécuter ${workflowOf(saga)} pour ${stimulus}, puis pour les événements et tâches ` +
    'planifiées suivants en file d’attente, et envoyer au prestataire les requêtes qui en ' +
    'résultent.',
  later_reactions_run: ({ saga }) =>
    `Exécuter ${workflowOf(saga)} pour les événements et tâches planifiées suivants en file ` +
    'd’attente, et envoyer au prestataire les requêtes qui en résultent.',
  refund_searched: ({ subjectId }) =>
    `Lire ${subjectId} chez le prestataire ; un remboursement peut-être déjà envoyé n’est pas ` +
    'renvoyé.',
  call_searched: ({ call, subjectId }) =>
    `Lire ${subjectId} chez le prestataire ; n’envoyer la requête (${callOf(call)}) que si le ` +
    'prestataire ne l’a pas encore exécutée.',
  requests_searched: ({ call, count }) =>
    `Interroger le prestataire pour ${count} ${count > 1 ? 'requêtes' : 'requête'} en échec (${callOf(call)}) ; ` +
    'n’envoyer chacune que si le prestataire ne l’a pas encore exécutée.',
  refunds_searched: ({ count }) =>
    `Interroger le prestataire pour ${count} ${count > 1 ? 'remboursements' : 'remboursement'} ` +
    'en échec. Un remboursement peut-être déjà envoyé n’est pas renvoyé : seul son résultat est ' +
    'lu. S’il n’apparaît pas chez le prestataire : Déterminer le résultat inconnu, puis ' +
    'Réémettre le remboursement.',
  list_rebuilt: () =>
    'Reconstruire le modèle de lecture (table derrière les listes) à partir du journal ' +
    'd’événements ; jusqu’à la fin de la reconstruction, les listes affichent la table actuelle.',
  history_read: () =>
    'Lire l’historique des statuts chez le prestataire à partir du dernier jour lu.',
  history_read_from: ({ day, days }) =>
    `Lire l’historique des statuts chez le prestataire à partir du ${day} : ` +
    `${days} ${days > 1 ? 'jours' : 'jour'}.`,
  account_read: () =>
    'Lire les versements, remboursements et contestations du compte chez le prestataire, et les ' +
    'rapprocher.',
  webhook_read: () => 'Lire chez le prestataire l’objet désigné par le webhook.',
  webhooks_sent: ({ host, openCount, laterCount }) =>
    `Envoyer maintenant ${openCount} ${openCount > 1 ? 'webhooks' : 'webhook'} à ${host}.` +
    (laterCount > 0
      ? ` ${laterCount} ${laterCount > 1 ? 'autres attendent' : 'autre attend'} : redemander ensuite l’action.`
      : ''),
  recent_refunds: ({ count }) =>
    `Déjà ${count} ${count > 1 ? 'remboursements demandés' : 'remboursement demandé'} dans la ` +
    'console au cours des dernières 24 heures. Vérifiez qu’il ne s’agit pas d’un doublon.',
  equal_refunds: ({ count, amountMinor, currency }, amount) =>
    `${count} ${count > 1 ? 'autres remboursements' : 'autre remboursement'} de ` +
    `${amount(amountMinor, currency)} pour ce paiement, déjà ${count > 1 ? 'effectués' : 'effectué'} ou en ` +
    'cours. Vérifiez que celui-ci reste dû au payeur.',
  resolved_as: ({ intent, call, outcome }) => {
    if (outcome === 'forgotten') {
      return (
        `L’intention de paiement n’existe plus chez le prestataire : la requête ` +
        `(${callOf(call)}) est ` +
        'enregistrée comme terminée sans effet.'
      );
    }
    const results = {
      made: 'requête exécutée',
      not_made: 'requête non exécutée',
      others: 'l’opération trouvée provient d’une autre requête, notre requête est envoyée',
    };
    return `Chez le prestataire, ${intent} (${callOf(call)}) : ${results[outcome]}.`;
  },
  refund_shown: ({ refundId, amountMinor, currency }, amount) =>
    `Le remboursement ${refundId} de ${amount(amountMinor, currency)} existe pour l’intention de ` +
    'paiement.',
  payer_not_refunded: ({ amountMinor, currency }, amount) =>
    `Le payeur n’a pas été remboursé de ${amount(amountMinor, currency)} ; cette action ne le ` +
    'rembourse pas.',
  amount_concerned: ({ amountMinor, currency }, amount) =>
    `L’action concerne ${amount(amountMinor, currency)}.`,
  requests_fixed: ({ count }) =>
    `Relance exactement ${count > 1 ? `ces ${count} requêtes` : 'cette requête'} ; échoue si ` +
    `${count > 1 ? 'elles changent' : 'elle change'} avant l’approbation.`,
  requests_left: ({ count }) =>
    `${count} ${count > 1 ? 'autres requêtes' : 'autre requête'} de l’incident : demander ensuite de ` +
    'nouveau l’action pour le reste.',
  mismatch_reviewed: ({ aspect, expected, observed }) =>
    `Examiné : ${aspects[aspect] ?? aspect}, « ${expected} » chez nous et « ${observed} » chez le prestataire.`,
  status_shown: ({ status }) =>
    `Le statut chez le prestataire est « ${statuses[status] ?? status} ».`,
  reaction_discarded: ({ saga, stimulus }) =>
    `La réaction à ${stimulus} par ${workflowOf(saga)} est définitivement abandonnée.`,
  reaction_waits: ({ saga }) =>
    `La réaction automatique (${workflowName(saga)}) échoue actuellement : ses suites ` +
    'attendent une nouvelle tentative (Files d’attente, Réactions automatiques en échec).',
  known_changes_nothing: () => 'Si le prestataire n’indique rien de nouveau, rien ne change.',
  orders_switched: ({ merchantId, mode, from, to, hours }) =>
    `Les nouvelles commandes ${modes[mode] ?? mode} de ${merchantId} utilisent ${to}` +
    `${from === '' ? '' : ` au lieu de ${from}`}, ` +
    (hours === 0
      ? 'immédiatement.'
      : `${hours} ${hours > 1 ? 'heures' : 'heure'} après l’approbation.`),
  orders_not_before: ({ time }) => `Les commandes n’utilisent pas ce compte avant ${time}.`,
  account_used_now: ({ merchantId, mode }) =>
    `Les nouvelles commandes ${modes[mode] ?? mode} de ${merchantId} utilisent ce compte : elles ` +
    'seront rejetées.',
  account_not_used: ({ merchantId, mode }) =>
    `Les nouvelles commandes ${modes[mode] ?? mode} de ${merchantId} n’utilisent pas ce compte : rien ne ` +
    'change pour elles.',
  line_accepted: ({ amountMinor, bookedMinor, feeMinor, bookedFeeMinor, currency }, amount) =>
    `La ligne du prestataire a un montant de ${amount(amountMinor, currency)} et ` +
    `${amount(feeMinor, currency)} de frais ; le grand livre contient ` +
    `${amount(bookedMinor, currency)} et ${amount(bookedFeeMinor, currency)} de frais. Il ` +
    `comptabilise la différence : ${amount(amountMinor - bookedMinor, currency)} et ` +
    `${amount(feeMinor - bookedFeeMinor, currency)} de frais. Le prochain rapprochement clôture ` +
    'l’écart.',
  exception_closed: () =>
    'L’écart est clôturé. Des données ultérieures du prestataire peuvent en ouvrir un autre.',
  key_activated: ({ prefix, platformId, scopes }) =>
    `La clé ${prefix} de la plateforme ${platformId} devient active avec les droits ${scopes}.`,
  endpoint_created: ({ platformId, host, eventTypes, merchantId }) =>
    `La plateforme ${platformId} reçoit sur le serveur ${host} ` +
    `${eventTypes === '*' ? 'tous les événements' : `les événements ${eventTypes}`} ` +
    `${merchantId === '' ? 'de tous les marchands' : `du marchand ${merchantId}`}.`,
  user_activated: ({ name, role, ...access }, amount) =>
    `${name} peut se connecter avec le rôle ${roles[role]}. ${accessOf(access, amount)}`,
  role_changes: ({ name, before, role, ...access }, amount) =>
    `${name} : le rôle passe de ${roles[before]} à ${roles[role]}. ${accessOf(access, amount)}`,
  access_changes: ({ name, visibleBefore, limitsBefore, ...access }, amount) =>
    `${name}, jusqu’ici : ${accessOf({ visible: visibleBefore, limits: limitsBefore }, amount)} ` +
    `Après l’approbation : ${accessOf(access, amount)}`,
  user_enabled: ({ name, role }) => `${name} peut se reconnecter avec le rôle ${roles[role]}.`,
  limit_changes: ({ holder, holderId, operation, unit, before, daily }, amount) =>
    `${holderId === '*' ? everyHolder[holder] : `${settings.holders[holder]} ${holderId}`}, ` +
    `${settings.operations[operation].toLowerCase()} : la limite quotidienne passe de ${before} à ` +
    (unit === 'amount'
      ? `${daily} unités mineures (p. ex. centimes) de chaque devise (en euros : de ` +
        `${amount(before, 'eur')} à ${amount(daily, 'eur')}).`
      : `${daily} ${daily > 1 ? 'opérations' : 'opération'}.`),
  identity_registered: ({ name, role, email }) =>
    `La personne dont l’adresse e-mail chez le fournisseur d’identité est ${email} peut se ` +
    `connecter en tant que ${name} (${roles[role]}).`,
  second_factor_reset: ({ name, role }) =>
    `Les sessions de ${name} (${roles[role]}) se terminent, et le second facteur est supprimé.`,
  password_reset: ({ name, role }) =>
    `Les sessions de ${name} (${roles[role]}) se terminent, et le mot de passe à usage unique ` +
    'devient actif.',
};
