import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Tables up to this number of rows draw all of them: the browser's search finds every row. */
const MAX_DRAWN = 100;

/** How many rows are drawn before and after those on the screen. */
const BEYOND_SCREEN = 10;

/** The height of a row before any row was measured, in pixels. */
const USUAL_HEIGHT_PX = 44;

/** Matches while the browser prints the page, or writes it into a file. */
const PRINT = matchMedia('print');

const onPrint = (change: () => void): (() => void) => {
  PRINT.addEventListener('change', change);
  return () => PRINT.removeEventListener('change', change);
};

/** A drawn row, and the height of the rows before it that are not drawn. */
interface DrawnRow {
  readonly index: number;
  /** In pixels; 0 when the row before is drawn. */
  readonly spaceBefore: number;
}

interface VirtualRows {
  readonly body: RefObject<HTMLTableSectionElement | null>;
  /** Whether the table has too many rows to draw them all. */
  readonly isVirtual: boolean;
  readonly drawn: readonly DrawnRow[];
  /** The `ref` of each drawn row. */
  readonly measure: (element: HTMLTableRowElement | null) => void;
  /**
   * Keeps the row with this key and its neighbours drawn, even when they are scrolled out of view.
   */
  readonly hold: (key: string) => void;
}

/** The distance of the first row from the document's beginning, in pixels. */
const topOf = (body: HTMLElement): number =>
  Math.round(body.getBoundingClientRect().top + window.scrollY);

/**
 * The indexes of the drawn rows. Besides the rows near the screen, these are the first and the last
 * row, and the row with the focus (`held`) with its neighbours. So the focus and the row's dialogs
 * are not lost, and Tab reaches the next row.
 */
const indexesOf = (range: Range, held: number): number[] => {
  const fixed = [0, range.count - 1, ...(held < 0 ? [] : [held - 1, held, held + 1])];
  const inTable = fixed.filter((index) => index >= 0 && index < range.count);
  return [...new Set([...inTable, ...defaultRangeExtractor(range)])].sort((a, b) => a - b);
};

/**
 * Which rows of a table are drawn. Of a long table, only the rows near the visible part are drawn,
 * except when the page is printed.
 */
export const useVirtualRows = (keys: readonly string[]): VirtualRows => {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(USUAL_HEIGHT_PX);
  const [scrollMargin, setTop] = useState(0);
  const [held, hold] = useState<string | null>(null);
  const isPrinted = useSyncExternalStore(onPrint, () => PRINT.matches);
  const isVirtual = keys.length > MAX_DRAWN;
  const heldIndex = held === null ? -1 : keys.indexOf(held);
  // The rule is about the React Compiler, which would memoize the result; the console is built
  // without this compiler.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    enabled: isVirtual,
    count: keys.length,
    getItemKey: (index) => keys[index] ?? index,
    estimateSize: () => height.current,
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: BEYOND_SCREEN,
    scrollMargin,
    rangeExtractor: (range) => indexesOf(range, heldIndex),
    useFlushSync: false,
  });
  // Stores the mean row height while all rows are drawn. With it, the rows above the screen keep
  // their total height when the table becomes too long to draw all rows.
  useLayoutEffect(() => {
    if (isVirtual || body.current === null || keys.length === 0) return;
    height.current = body.current.getBoundingClientRect().height / keys.length;
  }, [isVirtual, keys.length]);
  const items = rows.getVirtualItems();
  // Runs whenever other rows are drawn, because the content above the table may have changed its
  // height.
  useLayoutEffect(() => {
    if (isVirtual && body.current !== null) setTop(topOf(body.current));
  }, [isVirtual, items]);
  const drawn =
    isVirtual && !isPrinted
      ? items.map(({ index, start }, place) => ({
          index,
          spaceBefore: start - (items[place - 1]?.end ?? scrollMargin),
        }))
      : keys.map((_, index) => ({ index, spaceBefore: 0 }));
  return { body, isVirtual, drawn, measure: rows.measureElement, hold };
};
