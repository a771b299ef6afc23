import { DateTime, Field, NullableDateTime, OneOf } from '#platform';
import {
  type AmountLimitDto,
  AmountLimits,
  ScopeEntries,
  type ScopeEntryDto,
} from './access-scope.dto.js';
import { factorsSince } from './factor-sql.js';
import { type Role, ROLES } from './role.js';

export const IDENTITY_STATES = ['none', 'registered', 'expired', 'linked'] as const;
export type IdentityState = (typeof IDENTITY_STATES)[number];

const ADDRESS_DAYS = 7;

/**
 * SQL: whether the row `i` of `admin_identities` contains an email address that was registered too
 * long ago and has not been used to sign in.
 */
export const IS_ADDRESS_EXPIRED = `(i.subject IS NULL
  AND i.registered_at < now() - interval '${ADDRESS_DAYS} days')`;

/** A user of the console, as shown to other users. */
export class UserAnswer {
  @Field('The user’s id.')
  id!: string;

  @Field('The user’s name.')
  name!: string;

  @OneOf(ROLES, 'The user’s role.', 'Role')
  role!: Role;

  @Field('Whether the user must replace the one-time password before any other request.')
  mustChangePassword!: boolean;

  @Field('Whether the user has set up a second factor.')
  hasSecondFactor!: boolean;

  @OneOf(
    IDENTITY_STATES,
    'The account at the identity provider: `none`; `registered`, which awaits the first sign-in ' +
      'with the registered email address; `expired`, as there was none within seven days; or ' +
      '`linked`.',
    'IdentityState',
  )
  identity!: IdentityState;

  @ScopeEntries()
  scope!: readonly ScopeEntryDto[];

  @AmountLimits()
  limits!: readonly AmountLimitDto[];

  @DateTime('When the user was created, wall-clock time.')
  createdAt!: Date;

  @NullableDateTime('When the user was disabled, wall-clock time; null: enabled.')
  disabledAt!: Date | null;
}

/** The columns of a `UserAnswer`, in a statement on `admin_users` without an alias. */
export const USER_COLUMNS = `id, name, role, scope, limits, password_expires_at IS NOT NULL AS "mustChangePassword",
  ${factorsSince('admin_users.id')} IS NOT NULL AS "hasSecondFactor",
  coalesce((SELECT CASE WHEN ${IS_ADDRESS_EXPIRED} THEN 'expired'
                        WHEN i.subject IS NULL THEN 'registered' ELSE 'linked' END
              FROM admin_identities i WHERE i.user_id = admin_users.id), 'none') AS identity,
  created_at AS "createdAt", disabled_at AS "disabledAt"`;
