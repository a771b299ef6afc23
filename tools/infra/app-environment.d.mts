type Environment = Readonly<Record<string, string>>;

/** The secrets that each app reads; of another it is told none. */
export const SECRETS_OF: Readonly<Record<string, readonly string[]>>;

/** An environment without the secrets that the app does not read, nor the files that hold them. */
export function withoutOthersSecrets<Value>(
  app: string,
  env: Readonly<Record<string, Value>>,
): Record<string, Value>;

/**
 * What one app is told, of an environment in which databases are as the server's administrator has
 * them: its own secrets, and its database as its own role.
 */
export function environmentFor(app: string, env: Environment): Record<string, string>;
