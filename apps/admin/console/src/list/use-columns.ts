import { useSearchParams } from 'wouter';
import type { Column } from './data-table';

/** The parameter of the page's URL with the ids of the shown columns in their order. */
const PARAMETER = 'columns';

interface Columns<Row> {
  /** The shown columns in the viewer's order. */
  readonly shown: readonly Column<Row>[];
  /** The hidden columns, in the default order of the list. */
  readonly hidden: readonly Column<Row>[];
  /** Whether the viewer has chosen other columns or another order than the list's default. */
  readonly isChosen: boolean;
  /** Shows or hides a column; the last shown column stays. */
  readonly toggle: (id: string) => void;
  /** Moves a shown column by one place towards the start (-1) or the end (1). */
  readonly move: (id: string, by: -1 | 1) => void;
  readonly reset: () => void;
}

/**
 * The columns that the viewer chose. The choice is in the page's URL, so that links and saved views
 * include it; columns that the list does not have, e.g. of another release, are ignored.
 */
export const useColumns = <Row>(usual: readonly Column<Row>[]): Columns<Row> => {
  const [params, setParams] = useSearchParams();
  const chosen = [...new Set((params.get(PARAMETER) ?? '').split(','))].flatMap(
    (id) => usual.find((column) => column.id === id) ?? [],
  );
  const shown = chosen.length === 0 ? usual : chosen;
  const ids = shown.map(({ id }) => id);
  const usualIds = usual.map(({ id }) => id).join(',');
  const set = (next: readonly string[]): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (next.length === 0 || next.join(',') === usualIds) after.delete(PARAMETER);
        else after.set(PARAMETER, next.join(','));
        return after;
      },
      { replace: true },
    );
  return {
    shown,
    hidden: usual.filter(({ id }) => !ids.includes(id)),
    isChosen: ids.join(',') !== usualIds,
    toggle: (id) => {
      if (!ids.includes(id)) set([...ids, id]);
      else if (ids.length > 1) set(ids.filter((one) => one !== id));
    },
    move: (id, by) => {
      const from = ids.indexOf(id);
      const to = from + by;
      if (from >= 0 && to >= 0 && to < ids.length) set(ids.toSpliced(from, 1).toSpliced(to, 0, id));
    },
    reset: () => set([]),
  };
};
