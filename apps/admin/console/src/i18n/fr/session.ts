import type { Dictionary } from '../en';

export const session: Dictionary['session'] = {
  title: 'Se connecter',
  lead: 'Pour les opérations. Ce que vous faites ici est consigné.',
  endedLead:
    'Votre session est terminée. Reconnectez-vous : ce que vous étiez en train d’écrire est conservé.',
  name: 'Nom',
  password: 'Mot de passe',
  submit: 'Se connecter',
  refused: 'Le nom ou le mot de passe n’est pas le bon.',
  tooMany: 'Trop d’essais. Attendez quelques minutes, puis réessayez.',
  firstTitle: 'Choisissez votre mot de passe',
  firstLead: 'Votre mot de passe à usage unique n’ouvre que cette page.',
  changeTitle: 'Changer de mot de passe',
  changeLead: 'Toutes vos sessions se terminent, et une nouvelle commence ici.',
  current: 'Mot de passe actuel',
  next: 'Nouveau mot de passe',
  nextHint: '12 caractères ou plus. Quelques mots sans lien se retiennent et ne se devinent pas.',
  again: 'Nouveau mot de passe, encore',
  notSame: 'Les deux ne sont pas identiques.',
  tooShort: 'Il doit avoir au moins 12 caractères.',
  change: 'Changer',
  wrongCurrent: 'Le mot de passe actuel n’est pas le bon.',
};
