import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns the `ref` of the `colgroup` of a table whose drawn rows change while the viewer scrolls.
 * The columns keep the widths that the first drawn rows needed, so that they do not move. `columns`
 * identifies the columns; `isDrawn` is false while the table has no rows.
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
