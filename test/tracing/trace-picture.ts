export interface DrawnSpan {
  readonly label: string;
  readonly app: 'api' | 'worker';
  /** The index of the parent among the drawn spans; null for the first span. */
  readonly parent: number | null;
  /** Whether the span ends before its parent ends. */
  readonly isInside: boolean;
}

const COLORS = { api: '#1971c2', worker: '#2f9e44' } as const;
const ROW = 24;
const TOP = 44;
const LABELS = 420;
const UNIT = 26;
const INDENT = 14;
const INK = '#212529';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const depthOf = (spans: readonly DrawnSpan[], index: number): number => {
  const parent = spans[index]?.parent ?? null;
  return parent === null ? 0 : 1 + depthOf(spans, parent);
};

/**
 * The end of a span in the picture. A span begins one unit after the span in the row above, and
 * ends after all spans that it contains.
 */
const endOf = (spans: readonly DrawnSpan[], index: number): number => {
  const inside = spans.flatMap(({ parent, isInside }, child) =>
    parent === index && isInside ? [endOf(spans, child)] : [],
  );
  return inside.length === 0 ? index + 0.9 : Math.max(...inside) + 0.2;
};

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x}" y="${y}" fill="${INK}"${more}>${escaped(content)}</text>`;

const row = (spans: readonly DrawnSpan[], span: DrawnSpan, index: number): readonly string[] => {
  const y = TOP + index * ROW;
  const depth = depthOf(spans, index);
  const x = LABELS + index * UNIT;
  const width = Math.round((endOf(spans, index) - index) * UNIT);
  return [
    ...(index % 2 === 0
      ? [`<rect x="0" y="${y}" width="100%" height="${ROW}" fill="#f1f3f5"/>`]
      : []),
    text(12 + depth * INDENT, y + 16, span.label),
    `<rect x="${x}" y="${y + 5}" width="${width}" height="14" rx="3" fill="${COLORS[span.app]}"/>`,
  ];
};

/**
 * Draws a trace as an SVG image, one span for each row. Lengths are not to scale, so that the
 * picture of the same spans is always the same.
 */
export const traceSvg = (title: string, spans: readonly DrawnSpan[]): string => {
  const width = LABELS + (spans.length + 1) * UNIT;
  const height = TOP + spans.length * ROW + 8;
  const legend = Object.entries(COLORS).flatMap(([app, color], index) => [
    `<rect x="${width - 150 + index * 64}" y="15" width="12" height="12" rx="3" fill="${color}"/>`,
    text(width - 134 + index * 64, 25, app),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    text(12, 26, title, ' font-size="14" font-weight="bold"'),
    ...legend,
    ...spans.flatMap((span, index) => row(spans, span, index)),
    '</svg>',
    '',
  ].join('\n');
};
