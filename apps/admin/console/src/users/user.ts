import { api, bodyOf, type Schemas } from '../api/client';

export type User = Schemas['UserAnswer'];

export const USERS_KEY = ['users'] as const;
export const readUsers = async (): Promise<readonly User[]> =>
  (await bodyOf(api.GET('/v1/users'))).items;

export const ROLES = ['viewer', 'operator', 'admin'] as const;
