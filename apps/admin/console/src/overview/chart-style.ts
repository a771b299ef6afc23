/** Styles shared by the charts, readable in light and dark. */
export const AXIS = {
  tick: { fill: 'var(--mantine-color-dimmed)', fontSize: 12 },
  stroke: 'var(--line)',
  tickLine: false,
} as const;

export const GRID = { stroke: 'var(--line)', vertical: false } as const;

export const TOOLTIP = {
  contentStyle: {
    background: 'var(--card-raised)',
    border: '1px solid var(--line)',
    borderRadius: 8,
    color: 'var(--mantine-color-text)',
    fontSize: 13,
  },
  itemStyle: { color: 'var(--mantine-color-text)', padding: 0 },
  cursor: { fill: 'var(--hover)' },
  isAnimationActive: false,
} as const;
