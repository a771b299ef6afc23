/** The identity of a company, in the form that was sent and in the form that a read shows. */
interface Identity {
  readonly email: string;
  readonly registrationNumber: string;
}

const bare = (number: string): string => number.replace(/[\s.]/g, '').toLowerCase();

const isSameEmail = (some: string, other: string): boolean =>
  some.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * Whether the company is the one that a creation with an unknown result created. An email belongs
 * to the user of one company. The legal id protects against the use of the email by another
 * company; it is returned as a SIRET (14 digits) if a SIREN (9) was sent.
 * docs/provider/onboarding.md#what-the-service-does.
 */
export const isSought = (found: Identity, sought: Identity): boolean => {
  if (!isSameEmail(found.email, sought.email)) return false;
  const [foundId, soughtId] = [bare(found.registrationNumber), bare(sought.registrationNumber)];
  return (
    foundId === soughtId ||
    (/^\d{9}$/.test(soughtId) && /^\d{14}$/.test(foundId) && foundId.startsWith(soughtId))
  );
};
