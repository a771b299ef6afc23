import type { Dictionary } from '../en';

export const session: Dictionary['session'] = {
  title: 'Se connecter',
  lead: 'Console d’exploitation. Chaque action est enregistrée.',
  endedLead: 'Votre session est terminée. Reconnectez-vous : votre saisie est conservée.',
  name: 'Nom',
  password: 'Mot de passe',
  submit: 'Se connecter',
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
};
