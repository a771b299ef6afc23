import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { assert } from '#kernel';
import { DateTime, Field, Integer, OneOf } from '#platform';
import { CONSOLE_ORIGIN, SECOND_FACTOR, type SecondFactorPolicy } from '../admin-config.js';
import {
  type AmountLimitDto,
  AmountLimits,
  ScopeEntries,
  type ScopeEntryDto,
} from './access-scope.dto.js';
import { type Role, ROLES } from './role.js';
import {
  SECOND_FACTOR_STATES,
  secondFactorOf,
  type SecondFactorState,
} from './second-factor-state.js';
import { type ConsoleOrigin, setToken } from './session-cookie.js';
import { csrfTokenOf, IDLE_MINUTES, Sessions, type SignedIn } from './sessions.js';

/** The current session. */
export class SessionAnswer {
  @Field('The user’s id.')
  userId!: string;

  @Field('The user’s name.')
  name!: string;

  @OneOf(ROLES, 'The user’s role.', 'Role')
  role!: Role;

  @ScopeEntries()
  scope!: readonly ScopeEntryDto[];

  @AmountLimits()
  limits!: readonly AmountLimitDto[];

  @Field('Whether the user must replace the one-time password before any other request.')
  mustChangePassword!: boolean;

  @OneOf(
    SECOND_FACTOR_STATES,
    'The second factor: `not_used`, or `given` in this session; or what the user must do before ' +
      'any other request: set it up (`set_up_required`) or enter a code (`code_required`).',
    'SecondFactorState',
  )
  secondFactor!: SecondFactorState;

  @Field('Whether the user has set up a second factor in the console.')
  hasSecondFactor!: boolean;

  @Field('Whether codes of an authenticator app are a second factor of the user.')
  hasAuthenticator!: boolean;

  @Field('Whether the user has a security key.')
  hasSecurityKey!: boolean;

  @Field('Send this token as X-CSRF-Token with each change.')
  csrfToken!: string;

  @DateTime('The latest time at which the session ends, wall-clock time.')
  expiresAt!: string;

  @Integer('The session ends after this many minutes without use.')
  idleMinutes!: number;
}

/** Describes a session to the browser, and hands the browser the token of a new session. */
@Injectable()
export class SessionReplies {
  constructor(
    private readonly sessions: Sessions,
    @Inject(CONSOLE_ORIGIN) private readonly at: ConsoleOrigin,
    @Inject(SECOND_FACTOR) private readonly policy: SecondFactorPolicy,
  ) {}

  answer(signedIn: SignedIn): SessionAnswer {
    return {
      userId: signedIn.userId,
      name: signedIn.name,
      role: signedIn.role,
      scope: signedIn.scope,
      limits: signedIn.limits,
      mustChangePassword: signedIn.mustChangePassword,
      secondFactor: secondFactorOf(signedIn, this.policy),
      hasSecondFactor: signedIn.hasSecondFactor,
      hasAuthenticator: signedIn.hasAuthenticator,
      hasSecurityKey: signedIn.hasSecurityKey,
      csrfToken: csrfTokenOf(signedIn.token),
      expiresAt: signedIn.expiresAt.toISOString(),
      idleMinutes: IDLE_MINUTES,
    };
  }

  /** Sets the cookie of a session that just began. */
  async begun(token: string, reply: FastifyReply): Promise<SessionAnswer> {
    const signedIn = await this.sessions.find(token);
    assert(signedIn !== null, 'a session that just began exists');
    setToken(reply, this.at, token);
    return this.answer(signedIn);
  }
}
