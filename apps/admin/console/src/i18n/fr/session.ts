import type { Dictionary } from '../en';

export const session: Dictionary['session'] = {
  title: 'Se connecter',
  lead: 'Console d’exploitation. Chaque action est enregistrée.',
  endedLead: 'Votre session est terminée. Reconnectez-vous : votre saisie est conservée.',
  name: 'Nom',
  password: 'Mot de passe',
  submit: 'Se connecter',
  or: 'ou',
  withProvider: (label: string) => `Se connecter avec ${label}`,
  inNewTab: 'S’ouvre dans un nouvel onglet. Votre saisie est conservée dans l’onglet actuel.',
  refused: 'Nom ou mot de passe erroné.',
  tooMany: 'Trop de tentatives. Réessayez dans quelques minutes.',
  firstTitle: 'Choisissez votre mot de passe',
  firstLead:
    'Vous vous êtes connecté avec un mot de passe à usage unique. Choisissez-en un autre pour ' +
    'continuer.',
  changeTitle: 'Changer de mot de passe',
  changeLead: 'Toutes vos sessions se terminent, et une nouvelle commence dans ce navigateur.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  nextHint:
    'Au moins 12 caractères. Quelques mots sans lien sont faciles à retenir, difficiles à deviner.',
  again: 'Confirmer le nouveau mot de passe',
  notSame: 'Les mots de passe ne correspondent pas.',
  tooShort: 'Utilisez au moins 12 caractères.',
  change: 'Changer le mot de passe',
  wrongCurrent: 'Le mot de passe actuel est erroné.',
  tooManyCodes: 'Trop de codes erronés. Réessayez dans quelques minutes.',
  codeTitle: 'Saisissez un code',
  codeLead:
    'Votre application d’authentification affiche un code à six chiffres. Un code de secours ' +
    'convient aussi, une seule fois.',
  code: 'Code',
  giveCode: 'Continuer',
  otherUser: 'Changer d’utilisateur',
  setUpTitle: 'Configurer un second facteur',
  setUpLead:
    'En plus du mot de passe, chaque connexion exige alors un code d’une application ' +
    'd’authentification sur votre téléphone.',
  setUpRequired: 'Votre rôle exige un second facteur.',
  replaceLead:
    'Vous avez un second facteur. Pour le remplacer, saisissez-en un code, ou un code de secours.',
  begin: 'Commencer',
  scanLead: 'Scannez ce code QR avec l’application, ou saisissez le secret à la main.',
  qr: 'Code QR contenant le secret',
  secret: 'Secret',
  firstCode: 'Code affiché par l’application',
  confirm: 'Confirmer',
  recoveryCode: 'Code de secours',
  factorTitle: 'Validez avec votre second facteur',
  factorLead:
    'Utilisez votre clé de sécurité, un code de l’application d’authentification ou, une seule ' +
    'fois, un code de secours.',
  factors: 'Second facteur',
  app: 'Application d’authentification',
  setUpApp: 'Configurer',
  replaceApp: 'Remplacer',
  proveLead: 'Validez d’abord avec votre second facteur actuel.',
  useKey: 'Utiliser une clé de sécurité',
  keyLead:
    'Une clé de sécurité, ou la reconnaissance d’empreinte ou de visage de cet appareil, n’exige ' +
    'aucun code et résiste à l’hameçonnage.',
  keyRow: (name: string) => `Clé de sécurité : ${name}`,
  keyName: 'Nom de la clé',
  keyNameHint: 'Un nom auquel vous reconnaissez la clé, par exemple sa couleur.',
  addKey: 'Ajouter une clé de sécurité',
  removeKey: 'Retirer',
  removeKeyLead: (name: string) =>
    `Retirer la clé de sécurité ${name} ? Vos autres sessions se terminent. Validez d’abord avec ` +
    'un second facteur.',
  keyKnown: 'Cette clé est déjà enregistrée.',
  keyCanceled:
    'La clé de sécurité n’a pas été utilisée : opération annulée ou trop longue. Réessayez.',
  noKeysHere:
    'Les clés de sécurité exigent un navigateur compatible, et une adresse de la console avec un nom ' +
    'de domaine (pas une adresse IP).',
  recoveryTitle: 'Codes de secours',
  recoveryLead:
    'Chaque code remplace un code de l’application, par exemple après la perte du téléphone. Les ' +
    'codes ne sont affichés que maintenant : conservez-les en lieu sûr.',
  recoveryDone: 'J’ai conservé les codes',
};
