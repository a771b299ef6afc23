import { ConfigError, createSecretBox, type SecretBox } from '#platform';

/** The format of a plain secret; an encrypted secret never has this format. */
const PLAIN = /^[0-9a-f]{64}$/;

const MAX_OPENED = 1_000;

/** Encrypts endpoint secrets before they are stored, when SANDBOX_SECRETS_KEY is set. */
export class EndpointSecrets {
  private readonly box: SecretBox | null;
  /** Caches decrypted secrets by their encrypted text, because every attempt needs a secret. */
  private readonly opened = new Map<string, string>();

  constructor(secretsKey: string | null) {
    this.box = secretsKey === null ? null : createSecretBox(secretsKey);
  }

  seal(secret: string, endpointId: string): string {
    return this.box === null ? secret : this.box.seal(secret, endpointId);
  }

  /** Throws when the secret was encrypted with a key that is no longer configured. */
  open(stored: string, endpointId: string): string {
    if (PLAIN.test(stored)) return stored;
    if (this.box === null)
      throw new ConfigError(
        'set SANDBOX_SECRETS_KEY to the key that encrypted the webhook secrets',
      );
    const key = `${endpointId} ${stored}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.box.open(stored, endpointId);
    if (this.opened.size >= MAX_OPENED) this.opened.clear();
    this.opened.set(key, secret);
    return secret;
  }
}
