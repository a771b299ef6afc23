/** What identifies a company, both in our request and in a response of the provider. */
interface Identity {
  readonly email: string;
  readonly registrationNumber: string;
}

const bare = (number: string): string => number.replace(/[\s.]/g, '').toLowerCase();

const isSameEmail = (some: string, other: string): boolean =>
  some.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * Whether a company at the provider was created by our request whose result is unknown. The email
 * alone is not sufficient, because a different company may use the same email, so the registration
 * number is compared as well. The provider may return a SIRET (14 digits) for a SIREN (9 digits)
 * that we sent. docs/provider/onboarding.md#what-the-service-does.
 */
export const isSought = (found: Identity, sought: Identity): boolean => {
  if (!isSameEmail(found.email, sought.email)) return false;
  const [foundId, soughtId] = [bare(found.registrationNumber), bare(sought.registrationNumber)];
  return (
    foundId === soughtId ||
    (/^\d{9}$/.test(soughtId) && /^\d{14}$/.test(foundId) && foundId.startsWith(soughtId))
  );
};
