export interface EnvironmentParts {
  readonly ports: Readonly<Record<string, number>>;
  readonly databases: Readonly<Record<string, string>>;
  readonly brokers: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, string>>;
}

/** The environment of all apps together; `environmentFor` selects what one app reads from it. */
export function environmentOf(parts: EnvironmentParts): Record<string, string>;
