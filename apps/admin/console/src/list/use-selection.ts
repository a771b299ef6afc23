import { useState } from 'react';

/** The rows of a table that the viewer has selected. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly isSelected: (row: Row) => boolean;
  readonly isAll: boolean;
  /** Selects or clears a row; `isRange`: also the rows between it and the last one clicked. */
  readonly toggle: (row: Row, isRange: boolean) => void;
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

/** A selected row that the filters no longer show, or that was reloaded away, is not selected. */
export const useSelection = <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Selection<Row> => {
  const [{ keys, last }, set] = useState(NOTHING);
  const selected = rows.filter((row) => keys.has(keyOf(row)));
  const isAll = rows.length > 0 && selected.length === rows.length;
  return {
    rows: selected,
    isSelected: (row) => keys.has(keyOf(row)),
    isAll,
    toggle: (row, isRange) => {
      const key = keyOf(row);
      const to = rows.findIndex((one) => keyOf(one) === key);
      const clicked = rows.findIndex((one) => keyOf(one) === last);
      const from = isRange && clicked >= 0 ? clicked : to;
      const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(keyOf);
      const kept = [...keys].filter((one) => !range.includes(one));
      const next = new Set(keys.has(key) ? kept : [...kept, ...range]);
      set({ keys: next, last: key });
    },
    toggleAll: () => set({ keys: new Set(isAll ? [] : rows.map(keyOf)), last: null }),
    clear: () => set(NOTHING),
  };
};
