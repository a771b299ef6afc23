export interface EnvironmentParts {
  readonly ports: Readonly<Record<string, number>>;
  readonly databases: Readonly<Record<string, string>>;
  readonly brokers: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, string>>;
}

/** What the apps are told by their environment, all together: `environmentFor` parts it. */
export function environmentOf(parts: EnvironmentParts): Record<string, string>;
