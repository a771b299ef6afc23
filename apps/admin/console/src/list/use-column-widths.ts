import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns the `ref` of the `colgroup` of a table that draws other rows while the viewer scrolls. It
 * gives the columns the widths that the first drawn rows needed, so that they stay where they are.
 * `columns` identifies the columns; `isDrawn` is false while the table has no rows.
 */
export const useColumnWidths = (
  body: RefObject<HTMLTableSectionElement | null>,
  columns: string,
  isDrawn: boolean,
): RefObject<HTMLTableColElement | null> => {
  const group = useRef<HTMLTableColElement>(null);
  useLayoutEffect(() => {
    const row = body.current?.querySelector(':scope > tr:not([aria-hidden])');
    if (!isDrawn || !row || group.current === null) return;
    const cols = group.current.querySelectorAll('col');
    const widths = [...row.children].map((cell) => cell.getBoundingClientRect().width);
    for (const [index, col] of cols.entries()) col.style.width = `${widths[index] ?? 0}px`;
  }, [body, columns, isDrawn]);
  return group;
};
