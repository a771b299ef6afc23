import type { Dictionary } from '../en';

export const audit: Dictionary['audit'] = {
  title: 'Audit',
  none: 'Personne n’a encore rien fait.',
  lead: 'Qui a fait quoi, le plus récent d’abord. Rien n’est jamais retiré.',
  who: 'Qui',
  action: 'Action',
  subject: 'Sur quoi',
};

export const users: Dictionary['users'] = {
  title: 'Utilisateurs',
  lead: 'Qui peut entrer, et avec quel rôle.',
  leadOthers: 'Qui peut entrer, et avec quel rôle. Seul un administrateur y change quelque chose.',
  create: 'Nouvel utilisateur',
  name: 'Nom',
  nameHint: '2 à 32 lettres minuscules, chiffres, points, _ ou -.',
  role: 'Rôle',
  roleHints: {
    viewer: 'Voit tout, ne change rien.',
    operator: 'Répare, et approuve ce qu’un autre opérateur répare.',
    admin: 'Ce que peut un opérateur ; et les utilisateurs, les clés et les comptes.',
  },
  since: 'Depuis',
  active: 'Actif',
  invited: 'Mot de passe à usage unique',
  disabled: 'Exclu',
  acts: {
    create: 'Créer',
    role: 'Changer le rôle',
    reset: 'Nouveau mot de passe',
    disable: 'Exclure',
    enable: 'Réadmettre',
  },
  leads: {
    create: 'Un mot de passe à usage unique est montré une fois, pour que vous le remettiez.',
    role: 'Il vaut dès la prochaine requête.',
    reset: 'Toutes ses sessions se terminent. Un mot de passe à usage unique est montré une fois.',
    disable: 'Toutes ses sessions se terminent maintenant.',
    enable: 'L’utilisateur peut se reconnecter avec son mot de passe d’avant.',
  },
  passwordTitle: (name) => `Mot de passe à usage unique de ${name}`,
  passwordLead:
    'Il n’est montré que maintenant. Remettez-le par un moyen sûr ; il doit être changé aussitôt.',
};

export const settings: Dictionary['settings'] = {
  title: 'Réglages',
  lead: 'Qui peut nous joindre, et par quoi nous joignons le prestataire. Aucun secret n’est lisible.',
  views: {
    platforms: 'Plateformes',
    keys: 'Clés d’API',
    limits: 'Limites quotidiennes',
    accounts: 'Comptes du prestataire',
  },
  none: {
    platforms: 'Aucune plateforme n’a encore de clé.',
    keys: 'Aucune clé n’a encore été faite.',
    accounts: 'Aucun compte prestataire n’est encore enregistré.',
    limits: 'Rien n’est limité.',
  },
  liveKeys: 'Clés en service',
  accounts: 'Comptes du prestataire',
  prefix: 'Clé',
  scopes: 'Droits',
  created: 'Créée',
  expires: 'Expire',
  expiresHint: 'Vide : elle vaut jusqu’à sa révocation.',
  never: 'Jamais',
  newKey: 'Nouvelle clé',
  newKeyLead:
    'Une plateforme a au plus deux clés en service : créez la nouvelle, déployez-la, révoquez ' +
    'l’ancienne.',
  makeKey: 'Créer la clé',
  platformHint: '1 à 64 lettres, chiffres, _ ou -. Un nouveau nom est une nouvelle plateforme.',
  allScopes: 'Tous les droits',
  keyTitle: 'La nouvelle clé d’API',
  keyLead:
    'Elle n’est montrée que maintenant ; seule son empreinte est gardée. Remettez-la par un ' +
    'moyen sûr.',
  revoke: 'Révoquer',
  revokeLead: 'Les appels avec cette clé sont refusés partout sous 5 secondes, pour de bon.',
  live: 'En service',
  expired: 'Expirée',
  revoked: 'Révoquée',
  account: 'Compte',
  accountStatus: {
    waiting: 'Attend l’approbation',
    scheduled: 'Prévu',
    taking_orders: 'Prend les commandes',
    approved: 'Approuvé',
    replaced: 'Remplacé',
    disabled: 'Désactivé',
  },
  ordersFrom: 'Commandes dès',
  endpoint: 'Point de réception des webhooks',
  noEndpoint: 'Pas encore',
  reads: 'Lectures',
  holder: 'Limite de',
  holders: { key: 'Clé d’API', platform: 'Plateforme', mandate: 'Mandat' },
  holderId: 'Lequel',
  holderHint:
    'Le préfixe d’une clé, l’identifiant d’une plateforme ou d’un mandat ; * : tous ceux qui n’ont ' +
    'pas de limite propre.',
  everyHolder: 'Tous les autres',
  operation: 'Opération',
  operations: { refund: 'Remboursements', capture: 'Captures', debit: 'Prélèvements d’un mandat' },
  unit: 'Unité',
  units: { amount: 'Unités mineures de chaque devise', count: 'Nombre' },
  daily: 'Par jour (UTC)',
  newLimit: 'Changer une limite',
  readsGood: 'Vont bien',
  readsFailing: (count) => `${count} en échec`,
};
