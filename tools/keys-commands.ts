import pg from 'pg';
import { parseArgs } from 'node:util';
import { recordAudit } from '#operations';
import {
  insertKey,
  type KeyDeed,
  mustBePossible,
  revokeKey,
  type WantedApiKey,
} from '../apps/admin/access/key-changes.js';
import { inTransaction } from '#log';
import { parseDurationMs, Rejection } from '#kernel';
import {
  ApiKeyStore,
  createSecretBox,
  envSecret,
  envSecretOptional,
  hashSecret,
  isScope,
  needsTwoPeople,
  newApiKey,
  type Scope,
  SCOPES,
} from '#platform';
import { commandLineOrigin, reasonOf, requiredText } from './command-line.js';
import {
  ORCHESTRATOR_SECRETS,
  reencrypt,
  SANDBOX_SECRETS,
  type SealedColumn,
} from './reencrypt.js';
import { allowAlone } from './two-people.js';

const USAGE = `API keys of the platforms, and the encryption key of stored secrets (needs DATABASE_URL)

  npm run keys -- create --platform <id> --scopes <scope,…|all> [--expires P90D] --reason "…"
      creates a key and prints it once
  npm run keys -- list [--platform <id>]
      lists the keys, without their secrets
  npm run keys -- revoke --prefix <po_…> --reason "…"
      revokes a key
  npm run keys -- rotate-encryption-key --reason "…"
      encrypts every stored secret with the first key of SECRETS_KEY; if SANDBOX_DATABASE_URL is
      set, also the sandbox's secrets with the first key of SANDBOX_SECRETS_KEY

Scopes: ${SCOPES.join(', ')}
A platform has at most 20 live keys. To replace one, create the new key, deploy it, then revoke
the old one.
Each change is audited with its reason. In production a key with a scope that can move money, or
with webhooks:write, requires two people: use the console, where a second person approves. --break-glass skips the
approval and raises an alert.`;

const scopesOf = (text: string): readonly Scope[] => {
  if (text === 'all') return SCOPES;
  const named = text.split(',').map((scope) => scope.trim());
  const scopes = named.filter(isScope);
  if (scopes.length < named.length) {
    throw new Rejection('invalid_scope', `--scopes must be all, or some of ${SCOPES.join(', ')}`);
  }
  return scopes;
};

const reencryptIn = async (
  pool: pg.Pool,
  columns: readonly SealedColumn[],
  variable: string,
): Promise<readonly string[]> => {
  const box = createSecretBox(envSecret(variable));
  const lines: string[] = [];
  for (const column of columns) {
    const { place, count, unopened } = await reencrypt(pool, column, box);
    lines.push(`${place}: ${count} encrypted again with ${box.currentKeyId}`);
    // Sets only the exit code, so that the remaining columns are processed.
    if (unopened.length > 0) process.exitCode = 1;
    for (const key of unopened)
      lines.push(`${place}: the secret of ${key} cannot be decrypted with any key in SECRETS_KEY`);
  }
  return lines;
};

const reencryptAll = async (orchestrator: pg.Pool): Promise<string> => {
  const lines = [...(await reencryptIn(orchestrator, ORCHESTRATOR_SECRETS, 'SECRETS_KEY'))];
  const sandboxUrl = envSecretOptional('SANDBOX_DATABASE_URL');
  if (sandboxUrl !== undefined) {
    const sandbox = new pg.Pool({ connectionString: sandboxUrl, max: 1 });
    try {
      lines.push(...(await reencryptIn(sandbox, SANDBOX_SECRETS, 'SANDBOX_SECRETS_KEY')));
    } finally {
      await sandbox.end();
    }
  }
  return lines.join('\n');
};

/** Creates an API key and returns the text that shows the key, which cannot be shown again. */
const created = async (
  pool: pg.Pool,
  wanted: WantedApiKey,
  {
    breaksGlass,
    ...deed
  }: KeyDeed & {
    readonly breaksGlass: boolean;
  },
): Promise<string> => {
  mustBePossible(wanted);
  const { text, prefix, secret } = newApiKey();
  if (wanted.scopes.some(needsTwoPeople)) {
    const subject = { type: 'api_key', id: prefix };
    const { origin, reason } = deed;
    await allowAlone(pool, origin, { action: 'api_key.created', subject, reason, breaksGlass });
  }
  const key = { ...wanted, prefix, secretHash: hashSecret(secret) };
  await inTransaction(pool, (client) => insertKey(client, key, deed));
  return text;
};

/**
 * Runs one command and returns the text to print. Throws `Rejection('usage')` for invalid
 * arguments.
 */
export const runKeys = async (pool: pg.Pool, args: readonly string[]): Promise<string> => {
  const store = new ApiKeyStore(pool);
  const origin = commandLineOrigin();
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      platform: { type: 'string' },
      scopes: { type: 'string' },
      expires: { type: 'string' },
      prefix: { type: 'string' },
      reason: { type: 'string' },
      'break-glass': { type: 'boolean' },
    },
  });
  const reason = () => reasonOf(values.reason, USAGE);
  switch (positionals[0]) {
    case 'create': {
      const scopes = scopesOf(requiredText(values.scopes, '--scopes', USAGE));
      const lifetimeMs = values.expires === undefined ? null : parseDurationMs(values.expires);
      const expiresAt = lifetimeMs === null ? null : new Date(Date.now() + lifetimeMs);
      const platformId = requiredText(values.platform, '--platform', USAGE);
      const breaksGlass = values['break-glass'] === true;
      return created(
        pool,
        { platformId, scopes, expiresAt },
        { origin, reason: reason(), breaksGlass },
      );
    }
    case 'list': {
      const rows = await store.list(values.platform);
      return rows
        .map(({ prefix, platformId, scopes, createdAt, expiresAt, revokedAt }) =>
          JSON.stringify({ prefix, platformId, scopes, createdAt, expiresAt, revokedAt }),
        )
        .join('\n');
    }
    case 'revoke': {
      const prefix = requiredText(values.prefix, '--prefix', USAGE);
      await inTransaction(pool, (client) => revokeKey(client, prefix, origin, reason()));
      return `revoked ${prefix}, everywhere within 5 seconds`;
    }
    case 'rotate-encryption-key':
      await recordAudit(pool, origin, {
        action: 'ops.encryption_key_rotated',
        subject: null,
        reason: reason(),
      });
      return reencryptAll(pool);
    case undefined:
    default:
      throw new Rejection('usage', USAGE);
  }
};
