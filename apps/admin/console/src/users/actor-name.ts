import { useQuery } from '@tanstack/react-query';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import { readUsers, USERS_KEY } from './user';

/** The name of an actor that is not a console user; unknown codes are shown as they are. */
export const systemActorName = (t: Dictionary, actor: string): string => {
  const { actors } = t.audit;
  const [kind = '', ...rest] = actor.split(':');
  const id = rest.join(':');
  switch (kind) {
    case 'unknown':
      return actors.anonymous;
    case 'ops':
      return actors.commandLine(id);
    case 'platform': {
      const [platform = '', key] = id.split(' key:');
      return key === undefined ? actors.platform(platform) : actors.platformKey(platform, key);
    }
    case 'saga':
      return actors.workflow(t.workflows[id] ?? id);
    case 'provider':
    case 'clock':
    case 'console':
    case 'reconciliation':
      return actors[kind];
    default:
      return actor;
  }
};

/** The name of any actor; a console user is shown by name. */
export const useActorName = (): ((actor: string) => string) => {
  const t = useT();
  const { data } = useQuery({ queryKey: USERS_KEY, queryFn: readUsers, staleTime: 60_000 });
  return (actor) =>
    data?.find(({ id }) => actor === `user:${id}`)?.name ?? systemActorName(t, actor);
};
