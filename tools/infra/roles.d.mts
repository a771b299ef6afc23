export type DatabaseKind = 'orchestrator' | 'sandbox' | 'fulfilment';

/** The roles of a database: its owner, which migrates it, and one for each app. */
export interface RolesOf {
  readonly owner: string;
  readonly apps: Readonly<Record<string, string>>;
}

export const DATABASE_ROLES: {
  readonly orchestrator: {
    readonly owner: string;
    readonly apps: Readonly<Record<'api' | 'worker' | 'all' | 'admin' | 'ops', string>>;
  };
  readonly sandbox: { readonly owner: string; readonly apps: { readonly sandbox: string } };
  readonly fulfilment: RolesOf;
};

/**
 * The password of a role on a development server. It is derived from the administrator's password,
 * so that all programs that use this server compute the same password.
 */
export function rolePassword(serverUrl: string, role: string): string;

/** The URL of the same database with the name and password of a role. */
export function roleUrl(serverUrl: string, role: string): string;
