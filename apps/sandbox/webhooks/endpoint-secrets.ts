import { ConfigError, createSecretBox, type SecretBox } from '#platform';

/** What a secret looks like; sealed text never does. */
const PLAIN = /^[0-9a-f]{64}$/;

/** Endpoint secrets as they rest in the database: sealed where SANDBOX_SECRETS_KEY is set. */
export class EndpointSecrets {
  private readonly box: SecretBox | null;

  constructor(secretsKey: string | null) {
    this.box = secretsKey === null ? null : createSecretBox(secretsKey);
  }

  seal(secret: string, endpointId: string): string {
    return this.box === null ? secret : this.box.seal(secret, endpointId);
  }

  /** Throws when the secret was sealed with a key that is not there any more. */
  open(stored: string, endpointId: string): string {
    if (PLAIN.test(stored)) return stored;
    if (this.box === null)
      throw new ConfigError('set SANDBOX_SECRETS_KEY: webhook secrets are sealed');
    return this.box.open(stored, endpointId);
  }
}
