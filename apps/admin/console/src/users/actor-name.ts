import { useQuery } from '@tanstack/react-query';
import { readUsers, USERS_KEY } from './user';

/** Whom an actor is to be called: a person by their name, all else by what it is. */
export const useActorName = (): ((actor: string) => string) => {
  const { data } = useQuery({ queryKey: USERS_KEY, queryFn: readUsers, staleTime: 60_000 });
  return (actor) => data?.find(({ id }) => actor === `user:${id}`)?.name ?? actor;
};
