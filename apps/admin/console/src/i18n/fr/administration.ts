import type { Dictionary } from '../en';

export const audit: Dictionary['audit'] = {
  title: 'Audit',
  none: 'Aucune entrée d’audit.',
  lead:
    'Toutes les actions des utilisateurs, les plus récentes d’abord. Les entrées ne sont jamais ' +
    'modifiées ni supprimées.',
  who: 'Auteur',
  action: 'Action',
  subject: 'Objet',
  show: 'Afficher',
  hide: 'Masquer',
  actors: {
    anonymous: 'Non connecté',
    commandLine: (user) => `Ligne de commande (${user})`,
    platform: (platform) => `Plateforme ${platform}`,
    platformKey: (platform, key) => `Plateforme ${platform}, clé d’API ${key}`,
    workflow: (workflow) => `Workflow ${workflow}`,
    provider: 'Prestataire',
    clock: 'Planificateur',
    console: 'Console',
    reconciliation: 'Rapprochement',
  },
};

export const users: Dictionary['users'] = {
  title: 'Utilisateurs',
  lead: 'Utilisateurs de la console et leurs rôles.',
  leadOthers:
    'Utilisateurs de la console et leurs rôles. Seul un administrateur peut les modifier.',
  create: 'Créer un utilisateur',
  name: 'Nom',
  nameHint: '2 à 32 lettres minuscules, chiffres, points, _ ou -.',
  role: 'Rôle',
  roleHints: {
    viewer: 'Peut tout consulter, sans rien modifier.',
    operator: 'Peut demander des actions et approuver celles des autres opérateurs.',
    admin: 'Droits d’opérateur, plus utilisateurs, clés d’API et comptes prestataire.',
  },
  access: 'Accès',
  seesEverything: 'Tout',
  scope: 'Plateformes et marchands',
  scopeHint:
    'Un par ligne, par exemple « acme » ou « acme marchand-1 » (plateforme, espace, ' +
    'identifiant du marchand). Vide : tout.',
  scopeWrong:
    'Écrivez sur chaque ligne une plateforme, ou une plateforme, un espace et l’identifiant ' +
    'd’un marchand.',
  limits: 'Montant maximal d’une action',
  limitsHint:
    'Un par ligne, par exemple « eur 500,00 ». Les remboursements d’un même paiement ' +
    's’additionnent. Les montants en d’autres devises sont refusés. Vide : sans limite.',
  limitsWrong: 'Écrivez une devise et un montant sur chaque ligne.',
  since: 'Créé le',
  active: 'Actif',
  secondFactor: 'Second facteur',
  hasSecondFactor: 'Configuré',
  noSecondFactor: 'Aucun',
  identity: 'Connexion unique (fournisseur d’identité)',
  identities: {
    none: 'Aucune',
    registered: 'En attente de la première connexion',
    expired: 'Expirée : aucune connexion en sept jours',
    linked: 'Associée',
  },
  email: 'Adresse e-mail',
  emailHint:
    'Telle que le fournisseur d’identité l’a vérifiée. L’adresse enregistrée est supprimée ' +
    'après la première connexion.',
  invited: 'Mot de passe à usage unique non changé',
  disabled: 'Désactivé',
  acts: {
    create: 'Créer',
    role: 'Changer le rôle',
    access: 'Changer l’accès',
    reset: 'Réinitialiser le mot de passe',
    resetFactor: 'Réinitialiser le second facteur',
    registerIdentity: 'Associer la connexion unique',
    removeIdentity: 'Dissocier la connexion unique',
    disable: 'Désactiver',
    enable: 'Activer',
  },
  leads: {
    create:
      'Un mot de passe à usage unique est affiché une seule fois. Remettez-le à l’utilisateur.',
    createWithAccount:
      'L’utilisateur se connecte chez le fournisseur d’identité, sans mot de passe.',
    role:
      'Un rôle supérieur s’applique après l’approbation d’un second administrateur, un rôle ' +
      'inférieur aussitôt.',
    access:
      'Les nouveaux droits d’un opérateur ou d’un administrateur s’appliquent après l’approbation ' +
      'd’un second administrateur, tout autre changement aussitôt. Un utilisateur limité à des ' +
      'plateformes ou à des marchands ne voit ni les files d’attente, ni les réglages, ni ' +
      'les utilisateurs.',
    reset:
      'Toutes les sessions de l’utilisateur se terminent. Un nouveau mot de passe à usage ' +
      'unique est affiché une seule fois.',
    resetFactor:
      'Pour un utilisateur qui a perdu l’appareil et les codes de secours. Toutes ses ' +
      'sessions se terminent ; le mot de passe seul suffit ensuite pour configurer un ' +
      'nouveau second facteur, sauf si la connexion unique est associée : seule une ' +
      'connexion chez le fournisseur d’identité le permet alors.',
    registerIdentity:
      'La première connexion chez le fournisseur d’identité avec cette adresse e-mail ' +
      'vérifiée, dans les sept jours, associe la connexion unique à l’utilisateur. ' +
      'Une association existante est supprimée : toutes les sessions de l’utilisateur ' +
      'se terminent et ses demandes d’action en attente d’approbation sont rejetées. Pour un ' +
      'opérateur ou un administrateur, tout cela attend l’approbation d’un second administrateur.',
    removeIdentity:
      'Toutes les sessions de l’utilisateur se terminent et ses demandes d’action en attente ' +
      'd’approbation sont rejetées. Il peut encore se connecter avec son mot de passe.',
    disable: 'Toutes les sessions de l’utilisateur se terminent immédiatement.',
    enable: 'L’utilisateur peut se reconnecter avec son mot de passe précédent.',
  },
  passwordTitle: (name) => `Mot de passe à usage unique de ${name}`,
  passwordLead:
    'Le mot de passe n’est affiché qu’une fois. Remettez-le par un moyen sûr ; l’utilisateur doit ' +
    'le changer à la première connexion.',
};

export const settings: Dictionary['settings'] = {
  title: 'Réglages',
  lead:
    'Plateformes, clés d’API, limites, comptes prestataire et endpoints webhook (adresses où les ' +
    'plateformes reçoivent les événements). Les secrets enregistrés ne sont pas lisibles.',
  views: {
    platforms: 'Plateformes',
    keys: 'Clés d’API',
    limits: 'Limites quotidiennes',
    accounts: 'Comptes prestataire',
    endpoints: 'Endpoints webhook',
  },
  none: {
    platforms: 'Aucune plateforme.',
    keys: 'Aucune clé d’API.',
    accounts: 'Aucun compte prestataire.',
    endpoints: 'Aucun endpoint webhook.',
    limits: 'Aucune limite quotidienne.',
  },
  liveKeys: 'Clés actives',
  accounts: 'Comptes prestataire',
  prefix: 'Clé',
  scopes: 'Droits',
  created: 'Créé le',
  expires: 'Expiration',
  expiresHint: 'Laissez vide pour une clé sans expiration.',
  never: 'Jamais',
  newKey: 'Créer une clé',
  newKeyLead:
    'Chaque service d’une plateforme a sa propre clé ; une plateforme a au plus 20 clés ' +
    'actives. Pour remplacer une clé, créez la nouvelle, mettez-la en service, puis révoquez ' +
    'l’ancienne. Une clé avec un droit qui permet de déplacer des fonds, ou avec ' +
    'webhooks:write, ne fonctionne qu’après l’approbation d’un second administrateur.',
  makeKey: 'Créer la clé',
  platformHint:
    '1 à 64 lettres, chiffres, _ ou -, sauf « console ». Un nouveau nom crée une nouvelle ' +
    'plateforme.',
  allScopes: 'Sélectionner tous les droits',
  keyTitle: 'Nouvelle clé d’API',
  keyLead:
    'Copiez la clé maintenant : elle ne peut plus être affichée ensuite. Remettez-la par un ' +
    'moyen sûr.',
  revoke: 'Révoquer',
  revokeLead:
    'Les requêtes avec cette clé sont rejetées sous 5 secondes. La révocation est définitive.',
  live: 'Active',
  expired: 'Expirée',
  revoked: 'Révoquée',
  account: 'Compte',
  accountStatus: {
    awaiting_approval: 'En attente d’approbation',
    scheduled: 'Planifié',
    taking_orders: 'En service',
    approved: 'Approuvé',
    replaced: 'Remplacé',
    disabled: 'Désactivé',
  },
  ordersFrom: 'En service à partir du',
  newEndpointLead:
    'L’endpoint reçoit les événements de la plateforme. Il est créé quand un second administrateur ' +
    'l’approuve. Son URL et son secret sont enregistrés chiffrés et ne sont pas affichés ici : la ' +
    'plateforme les lit avec sa clé d’API, GET /v1/webhook-endpoints/{id}/secret.',
  endpointFields: {
    platformId: {
      label: 'Plateforme',
      description: 'Il lui faut une clé d’API pour lire le secret.',
    },
    url: { label: 'URL', description: 'Une URL https à une adresse publique.' },
    eventTypes: {
      label: 'Types d’événements',
      description:
        'Séparés par des espaces ; * à la fin remplace la suite, et * seul désigne tous les types.',
    },
    merchantId: {
      label: 'Marchand',
      description: 'Laissez vide pour les événements de tous les marchands.',
    },
  },
  endpointStatus: {
    enabled: 'Activé',
    failing: 'En échec',
    disabled: 'Désactivé',
    deleted: 'Supprimé',
  },
  endpointHost: 'Serveur',
  endpointSince: 'En échec ou désactivé depuis',
  allMerchants: 'Tous',
  pendingDeliveries: 'Envois en attente',
  failedDeliveries: 'Envois en échec',
  endpoint: 'Endpoint webhook',
  noEndpoint: 'Non enregistré',
  reads: 'Lecture périodique',
  holder: 'S’applique à',
  holders: { key: 'Clé d’API', platform: 'Plateforme', mandate: 'Mandat' },
  holderId: 'Clé, plateforme ou mandat',
  holderHint:
    'Début d’une clé d’API, identifiant de plateforme ou de mandat ; * définit la valeur par ' +
    'défaut de ceux qui n’ont pas de limite propre.',
  everyHolder: 'Par défaut',
  operation: 'Opération',
  operations: { refund: 'Remboursements', capture: 'Captures', debit: 'Prélèvements sur mandat' },
  unit: 'Unité',
  units: {
    amount: 'Unités mineures (p. ex. centimes) de chaque devise',
    count: 'Nombre d’opérations',
  },
  daily: 'Limite par jour (UTC)',
  newLimit: 'Modifier une limite',
  readsGood: 'Normale',
  readsFailing: (count) => `${count} ${count > 1 ? 'lectures' : 'lecture'} en échec`,
};
