/**
 * Whether a version may break clients of the last release. By semantic versioning this requires a
 * new major version, or before 1.0 a new minor version.
 */
export const mayBreak = (released: string, version: string): boolean => {
  const [major = 0, minor = 0] = released.split('.').map(Number);
  const [newMajor = 0, newMinor = 0] = version.split('.').map(Number);
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor);
};
