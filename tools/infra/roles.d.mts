export type DatabaseKind = 'orchestrator' | 'sandbox' | 'fulfilment';

/** Who a database has: its owner, which migrates it, and a role for each app. */
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
 * The password of a role on a server of development: made of the password that the server's
 * administrator has, so that whoever runs on one server agrees.
 */
export function rolePassword(serverUrl: string, role: string): string;

/** The same database, as a role sees it. */
export function roleUrl(serverUrl: string, role: string): string;
