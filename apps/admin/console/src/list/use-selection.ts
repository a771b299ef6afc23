import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** The selected rows of a table, and the functions that change the selection. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly isSelected: (row: Row) => boolean;
  readonly isAll: boolean;
  /**
   * Selects or clears the row with this key; `isRange`: also the rows between it and the last one
   * clicked. The function stays the same object when the rows change, so that React does not render
   * every checkbox again.
   */
  readonly toggle: (key: string, isRange: boolean) => void;
  /** Selects all loaded rows, or clears them. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

interface Chosen {
  readonly keys: ReadonlySet<string>;
  /** The key of the row that was clicked last. */
  readonly last: string | null;
}

const NOTHING: Chosen = { keys: new Set(), last: null };

const toggled = (
  { keys, last }: Chosen,
  all: readonly string[],
  key: string,
  isRange: boolean,
): Chosen => {
  const to = all.indexOf(key);
  const clicked = last === null ? -1 : all.indexOf(last);
  const from = isRange && clicked >= 0 ? clicked : to;
  const range = all.slice(Math.min(from, to), Math.max(from, to) + 1);
  const kept = [...keys].filter((one) => !range.includes(one));
  return { keys: new Set(keys.has(key) ? kept : [...kept, ...range]), last: key };
};

/** A selected row is dropped when the filters exclude it or a reload no longer returns it. */
export const useSelection = <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Selection<Row> => {
  const [{ keys }, set] = useState(NOTHING);
  const keysNow = rows.map(keyOf);
  const latestKeys = useRef(keysNow);
  useLayoutEffect(() => {
    latestKeys.current = keysNow;
  });
  const toggle = useCallback((key: string, isRange: boolean) => {
    set((chosen) => toggled(chosen, latestKeys.current, key, isRange));
  }, []);
  const selected = rows.filter((row) => keys.has(keyOf(row)));
  const isAll = rows.length > 0 && selected.length === rows.length;
  return {
    rows: selected,
    isSelected: (row) => keys.has(keyOf(row)),
    isAll,
    toggle,
    toggleAll: () => set({ keys: new Set(isAll ? [] : keysNow), last: null }),
    clear: () => set(NOTHING),
  };
};
