type Environment = Readonly<Record<string, string>>;

/** The names of the secrets that each app reads; an app gets no other secrets. */
export const SECRETS_OF: Readonly<Record<string, readonly string[]>>;

/**
 * Removes the secrets of other apps from the environment, and the variables that name files with
 * these secrets.
 */
export function withoutOthersSecrets<Value>(
  app: string,
  env: Readonly<Record<string, Value>>,
): Record<string, Value>;

/**
 * The environment of one app: `env` without the secrets of other apps, and with the app's role in
 * the database URLs instead of the server's administrator.
 */
export function environmentFor(app: string, env: Environment): Record<string, string>;
