/**
 * Returns an email address in lower case; null if it has other characters than those of ASCII. In
 * lower case some of these become ASCII letters (the Kelvin sign becomes k), and the address another
 * person's.
 */
export const lowerCaseEmail = (typed: string): string | null => {
  const email = typed.trim();
  return /^[!-~]+$/.test(email) ? email.toLowerCase() : null;
};
