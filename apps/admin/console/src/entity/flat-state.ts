/** A value of a state with its path, such as `refunds[0].amountMinor`. */
export interface FlatValue {
  readonly path: string;
  readonly value: string | number | boolean | null;
}

/** A value of a state, and its value before the selected event. */
export interface ChangedValue extends FlatValue {
  readonly change: 'same' | 'new' | 'changed' | 'removed';
  readonly before: FlatValue['value'] | undefined;
}

const isScalar = (value: unknown): value is FlatValue['value'] =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** All values of a state; empty objects and lists are dropped. */
export const flatten = (value: unknown, path = ''): readonly FlatValue[] => {
  if (isScalar(value)) return [{ path, value }];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => flatten(item, `${path}[${index}]`));
  }
  const entries = Object.entries(value as object).filter(([, one]) => one !== undefined);
  return entries.flatMap(([key, one]) => flatten(one, path === '' ? key : `${path}.${key}`));
};

/**
 * Compares the states before and after an event. The values are in the order of the state after the
 * event; removed values are last.
 */
export const compareStates = (before: unknown, after: unknown): readonly ChangedValue[] => {
  const old = new Map(
    before === undefined ? [] : flatten(before).map(({ path, value }) => [path, value]),
  );
  // The status is shown first.
  const now = flatten(after).toSorted(
    (a, b) => Number(b.path === 'status') - Number(a.path === 'status'),
  );
  const there = new Set(now.map(({ path }) => path));
  return [
    ...now.map((one): ChangedValue => {
      const was = old.get(one.path);
      if (before === undefined || was === one.value) return { ...one, change: 'same', before: was };
      return { ...one, change: was === undefined ? 'new' : 'changed', before: was };
    }),
    ...[...old]
      .filter(([path]) => !there.has(path))
      .map(([path, value]): ChangedValue => ({
        path,
        value,
        change: 'removed',
        before: value,
      })),
  ];
};
