/**
 * Returns an email address in lower case; null if it contains a character that is not ASCII. Some
 * of these characters become ASCII letters in lower case (the Kelvin sign becomes k), so that the
 * result could be another person's address.
 */
export const lowerCaseEmail = (typed: string): string | null => {
  const email = typed.trim();
  return /^[!-~]+$/.test(email) ? email.toLowerCase() : null;
};
