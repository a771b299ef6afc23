export interface DemoPlanParts {
  readonly ports: Readonly<Record<string, number>>;
  readonly databases: Readonly<Record<string, string>>;
  readonly brokers: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, string>>;
}

/** Where everything listens, from PORT_BASE. */
export function portsOfDemo(): Record<string, number>;

/** What the apps are told by their environment. */
export function environmentOf(parts: DemoPlanParts): Record<string, string>;
