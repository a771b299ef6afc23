import { Problem } from '#platform';
import type { SecondFactorPolicy } from '../admin-config.js';
import { isAtLeast } from './role.js';
import type { SignedIn } from './sessions.js';

/**
 * The state of the second factor in a session. `not_used`: the user has none and needs none.
 * `set_up_required`: the user has none and must set it up before any other request.
 * `code_required`: the user must enter a code before any other request. `given`: done.
 */
export const SECOND_FACTOR_STATES = [
  'not_used',
  'set_up_required',
  'code_required',
  'given',
] as const;

export type SecondFactorState = (typeof SECOND_FACTOR_STATES)[number];

/** A user who may approve or administer needs a second factor where the policy requires it. */
export const secondFactorOf = (
  { role, hasSecondFactor, gaveSecondFactor }: SignedIn,
  { isRequired }: SecondFactorPolicy,
): SecondFactorState => {
  if (gaveSecondFactor) return 'given';
  if (hasSecondFactor) return 'code_required';
  return isRequired && isAtLeast(role, 'operator') ? 'set_up_required' : 'not_used';
};

/**
 * The error response if a user tries to set up a first second factor in a session that began with a
 * password, although the user has an account at the identity provider. Otherwise the password alone
 * would suffice to bypass the provider's checks.
 */
export const providerSignInRequired = (): Problem =>
  new Problem(
    403,
    'provider_sign_in_required',
    'sign in at the identity provider first, then set up the second factor',
  );

/** The error response if the user must first enter a code of the second factor. */
export const secondFactorRequired = (): Problem =>
  new Problem(403, 'second_factor_required', 'enter a code of your second factor first');
