import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, type JWK, Provider } from 'oidc-provider';
import { assert } from '#kernel';

type Claims = Readonly<Record<string, unknown>>;

/** A person who signs in at the provider, as the ID token describes the person. */
export interface Person {
  readonly subject: string;
  readonly email?: string;
  readonly isVerified?: boolean;
  readonly amr?: readonly string[];
  readonly acr?: string;
}

export const CLIENT = { clientId: 'console', clientSecret: 'the secret of the console' } as const;

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const KEY = newKey();

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;

/** Signs changed claims under the header of the original token. */
const signed = (token: string, claims: Claims, key: KeyObject): string => {
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const text = `${token.split('.')[0] ?? ''}.${body}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
};

/**
 * A real OpenID provider on the loopback. `person` signs in there without a form; `alter` changes
 * the claims of ID tokens before they are signed.
 */
export class OpenIdProvider {
  person: Person = { subject: 'unset' };
  /** The error code with which the provider answers a sign-in; null: the sign-in succeeds. */
  error: string | null = null;
  alter: (claims: Claims) => Claims = (claims) => claims;
  isForged = false;
  isDown = false;
  private readonly provider: Provider;

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    callback: string,
  ) {
    this.provider = new Provider(issuer, this.configuration(callback));
    this.provider.use(async (ctx, next) => {
      await next();
      const body = ctx.body as { id_token?: string } | undefined;
      if (ctx.path !== '/token' || body?.id_token === undefined) return;
      const claims = this.alter(claimsOf(body.id_token));
      body.id_token = signed(body.id_token, claims, this.isForged ? newKey() : KEY);
    });
    const answer = this.provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (this.isDown) return void request.socket.destroy();
      if (request.url?.startsWith('/interaction/') === true) {
        return void this.signInThere(request, response);
      }
      void answer(request, response);
    });
  }

  static async start(origin: string): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    return new OpenIdProvider(server, `http://127.0.0.1:${port}`, `${origin}/sign-in/callback`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  /** Removes all faults and sets the person who signs in next. */
  reset(person: Person): void {
    const alter = (claims: Claims): Claims => claims;
    Object.assign(this, { person, error: null, alter, isForged: false, isDown: false });
  }

  /** Follows the redirects as a browser; returns the query of the console's callback page. */
  async visit(url: string, origin: string): Promise<string> {
    const cookies = new Map<string, string>();
    for (let next = url, steps = 0; steps < 10; steps += 1) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
      if (next.startsWith(`${origin}/`)) return new URL(next).search;
    }
    throw new Error('the provider does not return to the console');
  }

  private async signInThere(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { subject, amr, acr } = this.person;
    const result =
      this.error === null
        ? {
            login: {
              accountId: subject,
              remember: false,
              ...(amr !== undefined && { amr: [...amr] }),
              ...(acr !== undefined && { acr }),
            },
          }
        : { error: this.error };
    await this.provider.interactionFinished(request, response, result);
  }

  private configuration(callback: string): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          redirect_uris: [callback],
        },
      ],
      jwks: { keys: [{ ...KEY.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK] },
      cookies: { keys: ['a key for cookies'] },
      acrValues: ['phr', 'https://refeds.org/profile/mfa'],
      claims: { openid: ['sub', 'amr', 'acr'], email: ['email', 'email_verified'] },
      features: { devInteractions: { enabled: false } },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        IdToken: 60,
        Interaction: 60,
        Session: 60,
        Grant: 60,
      },
      findAccount: (_, accountId) => ({
        accountId,
        claims: () => {
          const { email, isVerified } = this.person;
          return {
            sub: accountId,
            ...(email !== undefined && { email, email_verified: isVerified ?? true }),
          };
        },
      }),
      // Grants the client's request without a consent page.
      loadExistingGrant: async ({ oidc }) => {
        const { accountId } = oidc.session ?? {};
        assert(accountId !== undefined && oidc.client !== undefined, 'the person has signed in');
        const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    };
  }
}
