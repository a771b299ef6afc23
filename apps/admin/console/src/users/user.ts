import type { Schemas } from '../api/client';

export type User = Schemas['UserAnswer'];

export const USERS_KEY = ['users'] as const;
export const ROLES = ['viewer', 'operator', 'admin'] as const;
