import type { Dictionary } from '../en';
import { workflows } from './watch';

const roles = { viewer: 'lecteur', operator: 'opérateur', admin: 'administrateur' } as const;

export const calls: Dictionary['calls'] = {
  create_intent: 'création de l’intention',
  debit_mandate: 'prélèvement sur le mandat',
  capture: 'capture',
  cancel: 'annulation',
  refund: 'remboursement',
  create_company: 'inscription de la société',
  order_terminal: 'commande d’un terminal',
  cancel_terminal: 'annulation d’un terminal',
  fetch_keys: 'récupération des clés',
};

const workflowOf = (saga: string): string =>
  `le workflow (${workflows[saga]?.toLowerCase() ?? saga})`;

const callOf = (call: string): string => calls[call] ?? call;

export const told: Dictionary['told'] = {
  intent_read: () => 'L’intention et ses détails sont lus.',
  call_asked: ({ call, subjectId }) => `Appel demandé pour ${subjectId} : ${callOf(call)}.`,
  later_calls_made: () => 'Les appels suivants du paiement, que celui-ci retient, sont faits.',
  reaction_retried: ({ saga, stimulus }) =>
    `Un worker fait réagir ${workflowOf(saga)} à ${stimulus}, puis à ce qui attend derrière, et ` +
    'envoie au prestataire ce qui en résulte.',
  later_reactions_made: ({ saga }) =>
    `Un worker fait réagir ${workflowOf(saga)} à ce qui attend derrière, et envoie au prestataire ` +
    'ce qui en résulte.',
  refund_looked_for: ({ subjectId }) =>
    `${subjectId} est lu chez le prestataire : un remboursement peut-être déjà envoyé n’est pas ` +
    'envoyé une seconde fois.',
  call_looked_for: ({ call, subjectId }) =>
    `${subjectId} est lu chez le prestataire ; l’appel (${callOf(call)}) n’est envoyé que si le ` +
    'prestataire ne le montre pas.',
  list_rebuilt: () => 'La liste est refaite depuis le journal ; l’actuelle se lit jusque-là.',
  history_read: () =>
    'L’historique des états est relu chez le prestataire, depuis là où il en était.',
  history_read_from: ({ day, days }) =>
    `L’historique des états est relu chez le prestataire à partir du ${day} : ` +
    `${days} ${days > 1 ? 'jours' : 'jour'}.`,
  account_read: () =>
    'Ses versements, remboursements et contestations sont lus chez le prestataire, et rapprochés.',
  webhook_read: () => 'Ce dont parle le webhook est lu chez le prestataire.',
  refunds_lately: ({ count }) =>
    `Des personnes en ont déjà fait ${count} ${count > 1 ? 'remboursements' : 'remboursement'} en ` +
    'un jour : celui-ci en est-il un autre ?',
  settled_as: ({ intent, call, outcome }) => {
    const settled = {
      made: 'il a été fait',
      not_made: 'il n’a pas été fait',
      others: 'ce qui s’y trouve est d’un autre, et le nôtre est fait',
      forgotten: 'il prend fin sans elle',
    };
    return `Le prestataire montre ${intent}. L’appel (${callOf(call)}) : ${settled[outcome]}.`;
  },
  refund_shown: ({ refundId, amountMinor, currency }, amount) =>
    `Il a le remboursement ${refundId} de ${amount(amountMinor, currency)}.`,
  payer_not_refunded: ({ amountMinor, currency }, amount) =>
    `Le payeur n’a pas été remboursé de ${amount(amountMinor, currency)}, et ne l’est pas par ceci.`,
  status_shown: ({ status }) => `Le prestataire montre ${status}.`,
  reaction_discarded: ({ saga, stimulus }) =>
    `Ce que ${workflowOf(saga)} aurait fait à ${stimulus} ne sera jamais fait.`,
  reaction_waits: ({ saga }) =>
    `${workflowOf(saga)} ne peut réagir à ceci pour l’instant : ce qui en suivrait attend une ` +
    'nouvelle tentative (Files, Réactions échouées).',
  known_changes_nothing: () => 'Ce qui est déjà su ne change rien.',
  orders_switched: ({ merchantId, mode, from, to, hours }) =>
    `Les nouvelles commandes (${mode}) de ${merchantId} sont payées sur ${to}` +
    `${from === '' ? '' : ` au lieu de ${from}`}, ` +
    `${hours === 0 ? 'aussitôt' : `${hours} heures après l’approbation`}.`,
  orders_not_before: ({ time }) => `Pas avant ${time}.`,
  account_used_now: ({ merchantId, mode }) =>
    `Les nouvelles commandes (${mode}) de ${merchantId} l’utilisent : elles seront refusées.`,
  account_not_used: ({ merchantId, mode }) =>
    `Les nouvelles commandes (${mode}) de ${merchantId} ne l’utilisent pas : rien ne change pour elles.`,
  exception_closed: () => 'L’écart est clos. Des faits ultérieurs peuvent en ouvrir un autre.',
  key_begins: ({ prefix, platformId, scopes }) =>
    `La clé ${prefix} de la plateforme ${platformId} prend effet, pour ${scopes}.`,
  user_begins: ({ name, role }) => `${name} peut se connecter, comme ${roles[role]}.`,
  role_changes: ({ name, before, role }) =>
    `${name} devient ${roles[role]}, et est ${roles[before]} à présent.`,
  user_enabled: ({ name, role }) => `${name} peut se reconnecter, comme ${roles[role]}.`,
  limit_changes: ({ holder, holderId, operation, unit, before, daily }) =>
    `La limite quotidienne ${holder}.${operation}.${unit} de ${holderId} est ${before}, et devient ` +
    `${daily}${unit === 'amount' ? ' (unités mineures de chaque devise)' : ''}.`,
  password_reset: ({ name, role }) =>
    `Les sessions de ${name} (${roles[role]}) se terminent, et le mot de passe à usage unique qui a ` +
    'été montré prend effet.',
};
