import type { Dictionary } from '../en';

const counted = (count: number, one: string): string => `${count} ${one}${count > 1 ? 's' : ''}`;

export const story: Dictionary['story'] = {
  view: 'Vue de la chronologie',
  story: 'Récit',
  raw: 'Toutes les entrées',
  leads: {
    story: 'Ce qui s’est passé et pourquoi.',
    raw: 'Chaque entrée enregistrée avec ses champs.',
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
  earlier: (count) =>
    `${count} ${count > 1 ? 'lectures antérieures' : 'lecture antérieure'} chez le prestataire`,
  asOf: (time, version, all) => `Au ${time} — événement ${version} sur ${all}`,
  backToNow: 'Revenir au présent',
};
