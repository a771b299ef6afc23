import type { Dictionary } from '../en';

const counted = (count: number, one: string): string => `${count} ${one}${count > 1 ? 's' : ''}`;

export const story: Dictionary['story'] = {
  view: 'Vue de la chronologie',
  story: 'Récit',
  raw: 'Données brutes',
  leads: {
    story: 'Ce qui s’est passé et pourquoi, à l’heure des opérations.',
    raw: 'Chaque entrée enregistrée avec ses champs, à l’heure des opérations.',
  },
  by: (name) => `, par ${name}`,
  requestedBy: (name) => `, capture demandée par ${name}`,
  policy: 'la règle de capture',
  anyPlatform: 'la plateforme',
  platform: (id) => `la plateforme ${id}`,
  reference: (text) => ` (référence ${text})`,
  requests: (count) => `${counted(count, 'requête')} au prestataire`,
  failed: (count) => `${count} en échec`,
  webhooks: (count) => counted(count, 'webhook'),
  earlier: (count) => (count > 1 ? `${count} lectures antérieures` : '1 lecture antérieure'),
  asOf: (time, version, all) => `Au ${time} — événement ${version} sur ${all}`,
  backToNow: 'Revenir au présent',
};
