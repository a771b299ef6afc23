import {
  ConfigError,
  envOptional,
  envSecretOptional,
  refuseKnownSecret,
  requireHttps,
} from '#platform';

/** The injection token of the `IdentityProviderConfig`, which is null without such a provider. */
export const IDENTITY_PROVIDER = Symbol('IDENTITY_PROVIDER');

/** The OpenID provider at which users of the console may sign in. */
export interface IdentityProviderConfig {
  /** The issuer, exactly as its tokens name it, e.g. `https://login.example/realms/staff`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name of the provider on the sign-in page. */
  readonly label: string;
}

const checkIssuer = (text: string): string => {
  const { protocol, search, hash } = URL.parse(text) ?? {};
  if ((protocol === 'https:' || protocol === 'http:') && search === '' && hash === '') {
    return requireHttps('ADMIN_OIDC_ISSUER', text);
  }
  throw new ConfigError(`ADMIN_OIDC_ISSUER must be like https://login.example, not '${text}'`);
};

/**
 * Reads the settings ADMIN_OIDC_…; null if none of them is set. Throws a `ConfigError` that names a
 * missing or wrong one.
 */
export const identityProviderFromEnv = (): IdentityProviderConfig | null => {
  const issuer = envOptional('ADMIN_OIDC_ISSUER');
  const clientId = envOptional('ADMIN_OIDC_CLIENT_ID');
  const clientSecret = envSecretOptional('ADMIN_OIDC_CLIENT_SECRET');
  const label = envOptional('ADMIN_OIDC_LABEL');
  if (issuer === undefined) {
    if ([clientId, clientSecret, label].every((one) => one === undefined)) return null;
    throw new ConfigError('set ADMIN_OIDC_ISSUER as well, or none of the settings ADMIN_OIDC_…');
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError(
      'with ADMIN_OIDC_ISSUER, set ADMIN_OIDC_CLIENT_ID and ADMIN_OIDC_CLIENT_SECRET as well',
    );
  }
  return {
    issuer: checkIssuer(issuer),
    clientId,
    clientSecret: refuseKnownSecret('ADMIN_OIDC_CLIENT_SECRET', clientSecret),
    label: label ?? new URL(issuer).host,
  };
};
