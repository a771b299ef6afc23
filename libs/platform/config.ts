import { readFileSync } from 'node:fs';

/**
 * Thrown for an invalid or missing environment variable. The message contains the variable's name
 * and the reason.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const read = (name: string): string | undefined => {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
};

/** Text from the environment; throws `ConfigError` if it is not set and has no default. */
export const envText = (name: string, fallback?: string): string => {
  const value = read(name) ?? fallback;
  if (value === undefined) throw new ConfigError(`set the environment variable ${name}`);
  return value;
};

/** Text from the environment, or undefined when it is not set. */
export const envOptional = (name: string): string | undefined => read(name);

/** A whole number from the environment within `[min, max]`; throws `ConfigError` otherwise. */
export const envInt = (
  name: string,
  fallback?: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number => {
  const text = envText(name, fallback?.toString());
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`);
  }
  return value;
};

/** A port from the environment; 0 lets the system choose a free port. */
export const envPort = (name: string, fallback?: number): number =>
  envInt(name, fallback, { max: 65_535 });

/**
 * A flag from the environment: `1` or `true`, `0` or `false`; throws `ConfigError` for anything
 * else.
 */
export const envFlag = (name: string, fallback = false): boolean => {
  const value = read(name)?.toLowerCase();
  if (value === undefined) return fallback;
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw new ConfigError(`${name} must be 1 or 0, not '${value}'`);
};

const readSecretFile = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new ConfigError(`${name} names the file ${path}, which cannot be read`, { cause });
  }
};

/**
 * A secret from the environment, or from the file named by `<name>_FILE`; undefined if neither is
 * set. Throws `ConfigError` if both are set, or if the file is empty.
 */
export const envSecretOptional = (name: string): string | undefined => {
  const [value, file] = [read(name), read(`${name}_FILE`)];
  if (file === undefined) return value;
  if (value !== undefined) throw new ConfigError(`set ${name} or ${name}_FILE, not both`);
  const secret = readSecretFile(`${name}_FILE`, file);
  if (secret === '') throw new ConfigError(`${name}_FILE names the file ${file}, which is empty`);
  return secret;
};

/** Like `envSecretOptional`; throws `ConfigError` if it is not set and has no default. */
export const envSecret = (name: string, fallback?: string): string => {
  const value = envSecretOptional(name) ?? fallback;
  if (value === undefined)
    throw new ConfigError(`set the environment variable ${name} or ${name}_FILE`);
  return value;
};
