import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { newId, Rejection } from '#kernel';
import { Field, Nullable } from '#platform';
import { type AccessScope, isWithin } from '../access/access-scope.js';
import { plainAccess } from '../access/access-scope.dto.js';
import { Identities, plainEmail } from '../access/identities.js';
import { hashPassword, oneTimePassword } from '../access/passwords.js';
import { isAtLeast, type Role } from '../access/role.js';
import type { Acting } from '../access/allow.js';
import { lockActing } from '../access/still-acting.js';
import { UserAnswer } from '../access/user-answer.js';
import { lockAdmins, readUser, type UserDeed } from '../access/user-rows.js';
import { ownAccount, Users } from '../access/users.js';
import { ActionAnswer, WAITS } from '../actions/action-answers.js';
import type { Private, SettingKind, Target } from '../actions/action.js';
import { Actions } from '../actions/actions.js';

/** The admin who makes the change, and the reason. */
export interface UserChange {
  readonly by: Acting;
  readonly reason: string;
}

/** The current user; `action` is set if a second person must approve the change. */
export class UserChangeAnswer {
  @Nullable(UserAnswer, 'Null while the change awaits approval.')
  user!: UserAnswer | null;

  @Nullable(ActionAnswer, WAITS)
  action!: ActionAnswer | null;
}

type ChangedUser = Pick<UserChangeAnswer, 'user' | 'action'>;

const SHOWN_ONCE = 'Shown once; the user must change this password at the first sign-in.';

/** The response to a change that sets a one-time password, which is shown only once. */
export class NewPasswordAnswer extends UserChangeAnswer {
  @Field(SHOWN_ONCE)
  oneTimePassword!: string;
}

/** The response to the creation of a user. */
export class NewUserAnswer extends UserChangeAnswer {
  @Nullable(String, `${SHOWN_ONCE} Null for a user who signs in at the identity provider.`)
  oneTimePassword!: string | null;
}

/** A user to be created. */
export interface WantedUser {
  readonly name: string;
  readonly role: Role;
  /**
   * The email address with which the user signs in at the identity provider, if any: the
   * user then gets no password, because another person could sign in with it unnoticed.
   */
  readonly email: string | undefined;
  readonly access: AccessScope;
}

const userChanged = (): Rejection =>
  new Rejection('user_changed', 'the user has changed meanwhile: reload and try again');

/** Whether a new user of this role needs no approval: viewers cannot request actions. */
const isHarmless = (role: Role): boolean => role === 'viewer';

/**
 * Changes of users by an admin. A change that removes a right is immediate; a change that grants a
 * right or access to an account needs the approval of a second person.
 */
@Injectable()
export class UserChanges {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly users: Users,
    private readonly identities: Identities,
    private readonly actions: Actions,
  ) {}

  /** Creates a user. Throws `Rejection('invalid_name' | 'name_taken' | 'invalid_email' | 'email_taken')`. */
  async create(
    { name, role, email: typed, access: wanted }: WantedUser,
    change: UserChange,
  ): Promise<NewUserAnswer> {
    const access = plainAccess(wanted);
    await this.users.mustBeFree(name);
    const email = typed === undefined ? undefined : plainEmail(typed);
    if (email !== undefined) await this.identities.mustBeFree(email, null);
    const password = email === undefined ? oneTimePassword() : null;
    const passwordHash = password === null ? null : await hashPassword(password);
    const id = newId('usr');
    const changed = isHarmless(role)
      ? await this.alone(change, async (client, deed) => {
          const user = await this.users.insert(
            client,
            { id, name, role, passwordHash, access },
            deed,
          );
          return email === undefined ? user : this.identities.register(client, id, email, deed);
        })
      : await this.ask('create_user', { subjectId: id, role, access }, change, {
          name,
          ...(passwordHash !== null && { secretHash: passwordHash }),
          ...(email !== undefined && { email }),
        });
    return { ...changed, oneTimePassword: password };
  }

  /** Changes a user's role. Throws `Rejection('user_not_found' | 'last_admin')`. */
  async changeRole(id: string, role: Role, change: UserChange): Promise<ChangedUser> {
    const { role: before } = await this.users.get(id);
    if (!isAtLeast(before, role)) return this.ask('change_role', { subjectId: id, role }, change);
    return this.alone(change, (client, deed) => this.users.setRole(client, id, role, deed), {
      id,
      least: role,
    });
  }

  /**
   * Changes what a user may see and up to which amounts. Viewers request no actions, and a change
   * that only takes rights away needs no second person. Throws
   * `Rejection('user_not_found' | 'last_admin' | 'user_changed')`.
   */
  async changeAccess(id: string, wanted: AccessScope, change: UserChange): Promise<ChangedUser> {
    const access = plainAccess(wanted);
    const before = await this.users.get(id);
    const isAlone = isHarmless(before.role) || isWithin(access, before);
    if (!isAlone) return this.ask('change_access', { subjectId: id, access }, change);
    return this.alone(
      change,
      async (client, deed) => {
        const { role, ...now } = await readUser(client, id);
        if (!isHarmless(role) && !isWithin(access, now)) throw userChanged();
        return this.users.setAccess(client, id, access, deed);
      },
      { id, least: 'viewer' },
    );
  }

  /** Disables a user. Throws `Rejection('user_not_found' | 'last_admin')`. */
  disable(id: string, change: UserChange): Promise<ChangedUser> {
    return this.alone(change, (client, deed) => this.users.setDisabled(client, id, true, deed));
  }

  /** Enables a user. Throws `Rejection('user_not_found' | 'user_enabled')`. */
  async enable(id: string, change: UserChange): Promise<ChangedUser> {
    const { role } = await this.users.get(id);
    if (!isHarmless(role)) return this.ask('enable_user', { subjectId: id }, change);
    return this.alone(change, (client, deed) => this.users.setDisabled(client, id, false, deed), {
      id,
      most: 'viewer',
    });
  }

  /** Resets a user's password. Throws `Rejection('user_not_found' | 'own_account')`. */
  async resetPassword(id: string, change: UserChange): Promise<NewPasswordAnswer> {
    const { role } = await this.users.get(id);
    if (change.by.userId === id) throw ownAccount();
    const password = oneTimePassword();
    const hash = await hashPassword(password);
    const changed = isHarmless(role)
      ? await this.alone(change, (client, deed) => this.users.setPassword(client, id, hash, deed), {
          id,
          most: 'viewer',
        })
      : await this.ask('reset_password', { subjectId: id }, change, { secretHash: hash });
    return { ...changed, oneTimePassword: password };
  }

  /**
   * Resets a user's second factor. Throws
   * `Rejection('user_not_found' | 'own_account' | 'second_factor_absent')`.
   */
  async resetSecondFactor(id: string, change: UserChange): Promise<ChangedUser> {
    const { role } = await this.users.get(id);
    if (change.by.userId === id) throw ownAccount();
    if (!isHarmless(role)) return this.ask('reset_second_factor', { subjectId: id }, change);
    return this.alone(change, (client, deed) => this.users.resetSecondFactor(client, id, deed), {
      id,
      most: 'viewer',
    });
  }

  /**
   * Lets the person with this verified email address sign in as the user by the identity provider.
   * Throws `Rejection('user_not_found' | 'invalid_email' | 'email_taken')`.
   */
  async registerIdentity(id: string, typed: string, change: UserChange): Promise<ChangedUser> {
    const { role } = await this.users.get(id);
    const email = plainEmail(typed);
    await this.identities.mustBeFree(email, id);
    if (!isHarmless(role))
      return this.ask('register_identity', { subjectId: id }, change, { email });
    return this.alone(change, (client, deed) => this.identities.register(client, id, email, deed), {
      id,
      most: 'viewer',
    });
  }

  /**
   * Ends the user's sign-ins by the identity provider. Throws
   * `Rejection('user_not_found' | 'identity_absent')`.
   */
  async removeIdentity(id: string, change: UserChange): Promise<ChangedUser> {
    await this.users.get(id);
    return this.alone(change, (client, deed) => this.identities.remove(client, id, deed));
  }

  private async ask(
    kind: SettingKind,
    target: Target,
    { by, reason }: UserChange,
    kept?: Private,
  ): Promise<ChangedUser> {
    const setting = { kind, target, reason, ...(kept !== undefined && { private: kept }) };
    const action = await this.actions.requestSetting(setting, by);
    return { user: null, action };
  }

  /**
   * Makes a change without an approval. `still`: the change needs no approval only while the user
   * has one of these roles; checked again under the lock.
   */
  private async alone(
    { by, reason }: UserChange,
    work: (client: PoolClient, deed: UserDeed) => Promise<UserAnswer>,
    still?: { readonly id: string; readonly least?: Role; readonly most?: Role },
  ): Promise<ChangedUser> {
    const user = await inTransaction(this.pool, async (client) => {
      await lockAdmins(client);
      const users = await lockActing(client, by, 'admin', still === undefined ? [] : [still.id]);
      const { role } = users.get(still?.id ?? by.userId) ?? {};
      const { least = role, most = 'admin' } = still ?? {};
      if (
        role !== undefined &&
        least !== undefined &&
        isAtLeast(role, least) &&
        isAtLeast(most, role)
      ) {
        return work(client, { origin: by, reason });
      }
      throw userChanged();
    });
    return { user, action: null };
  }
}
