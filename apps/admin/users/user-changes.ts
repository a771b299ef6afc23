import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '#log';
import { newId, Rejection } from '#kernel';
import { hashPassword, oneTimePassword } from '../access/passwords.js';
import { isAtLeast, type Role } from '../access/role.js';
import type { SignedIn } from '../access/sessions.js';
import { lockActing } from '../access/still-acting.js';
import { lockAdmins, ownAccount, type UserDeed, type UserRow, Users } from '../access/users.js';
import type { ActionAnswer } from '../actions/action-answers.js';
import type { Private, SettingKind, Target } from '../actions/action.js';
import { Actions } from '../actions/actions.js';
import type { AuditOrigin } from '../shared/audit.js';

/** Who does it, from where, and why. */
export interface UserChange {
  readonly by: SignedIn;
  readonly origin: AuditOrigin;
  readonly reason: string;
}

/** The user as it is; `action`: where the change waits for a second person. */
export interface ChangedUser {
  readonly user: UserRow | null;
  readonly action: ActionAnswer | null;
}

/** With a password that is never to be seen again. */
export interface UserWithPassword extends ChangedUser {
  readonly oneTimePassword: string;
}

/** A viewer moves no money. */
const isHarmless = (role: Role): boolean => role === 'viewer';

/**
 * What an admin does to users. What takes a right away is done at once; what gives one, or the way
 * to use somebody's, waits for a second person.
 */
@Injectable()
export class UserChanges {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly users: Users,
    private readonly actions: Actions,
  ) {}

  /** Throws `Rejection('invalid_name' | 'name_taken')`. */
  async create(name: string, role: Role, change: UserChange): Promise<UserWithPassword> {
    await this.users.mustBeFree(name);
    const password = oneTimePassword();
    const passwordHash = await hashPassword(password);
    const id = newId('usr');
    const changed = isHarmless(role)
      ? await this.alone(change, (client, deed) =>
          this.users.insert(client, { id, name, role, passwordHash }, deed),
        )
      : await this.ask('create_user', { subjectId: id, role }, change, {
          name,
          secretHash: passwordHash,
        });
    return { ...changed, oneTimePassword: password };
  }

  /** Throws `Rejection('user_not_found' | 'last_admin')`. */
  async changeRole(id: string, role: Role, change: UserChange): Promise<ChangedUser> {
    const { role: before } = await this.users.get(id);
    if (!isAtLeast(before, role)) return this.ask('change_role', { subjectId: id, role }, change);
    return this.alone(change, (client, deed) => this.users.setRole(client, id, role, deed), {
      id,
      least: role,
    });
  }

  /** Throws `Rejection('user_not_found' | 'last_admin')`. */
  disable(id: string, change: UserChange): Promise<ChangedUser> {
    return this.alone(change, (client, deed) => this.users.setDisabled(client, id, true, deed));
  }

  /** Throws `Rejection('user_not_found' | 'user_enabled')`. */
  async enable(id: string, change: UserChange): Promise<ChangedUser> {
    const { role } = await this.users.get(id);
    if (!isHarmless(role)) return this.ask('enable_user', { subjectId: id }, change);
    return this.alone(change, (client, deed) => this.users.setDisabled(client, id, false, deed), {
      id,
      most: 'viewer',
    });
  }

  /** Throws `Rejection('user_not_found' | 'own_account')`. */
  async resetPassword(id: string, change: UserChange): Promise<UserWithPassword> {
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

  private async ask(
    kind: SettingKind,
    target: Target,
    { by, origin, reason }: UserChange,
    kept?: Private,
  ): Promise<ChangedUser> {
    const setting = { kind, target, reason, ...(kept !== undefined && { private: kept }) };
    const action = await this.actions.requestSetting(setting, by, origin);
    return { user: null, action };
  }

  /** `still`: what the user must still be, so that one person alone may do it. */
  private async alone(
    { by, origin, reason }: UserChange,
    work: (client: PoolClient, deed: UserDeed) => Promise<UserRow>,
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
        return work(client, { origin, reason });
      }
      throw new Rejection('user_changed', 'the role was changed meanwhile: look again');
    });
    return { user, action: null };
  }
}
