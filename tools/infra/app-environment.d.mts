type Environment = Readonly<Record<string, string>>;

/** The secrets that each app reads; it gets no other. */
export const SECRETS_OF: Readonly<Record<string, readonly string[]>>;

/** The environment without other apps' secrets, nor the files that hold them. */
export function withoutOthersSecrets<Value>(
  app: string,
  env: Readonly<Record<string, Value>>,
): Record<string, Value>;

/**
 * The environment of one app, from one in which databases are as the server's administrator has
 * them: its own secrets, and its database as its own role.
 */
export function environmentFor(app: string, env: Environment): Record<string, string>;
