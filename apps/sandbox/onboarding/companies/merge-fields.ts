const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `T` with every field optional, recursively; null clears a field. */
export type FieldsOf<T> = {
  readonly [K in keyof T]?: FieldOf<T[K]> | null | undefined;
};
type FieldOf<V> = V extends readonly unknown[] ? Readonly<V> : V extends object ? FieldsOf<V> : V;

const merged = (stored: unknown, patch: Readonly<Record<string, unknown>>): object => {
  const result: Record<string, unknown> = isObject(stored) ? { ...stored } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined)
      result[key] = isObject(value) ? merged(result[key], value) : value;
  }
  return result;
};

/**
 * Applies a patch to fields in place: objects merge by key, null clears a field, any other value
 * replaces the stored value.
 */
export const mergeFields = <T extends object>(stored: T, patch: FieldsOf<T>): void => {
  const result = merged(stored, patch);
  for (const key of Object.keys(stored)) if (!(key in result)) Reflect.deleteProperty(stored, key);
  Object.assign(stored, result);
};
