import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useT } from '../i18n/i18n';
import { Chart } from './chart';
import { AXIS, GRID, TOOLTIP } from './chart-style';
import type { Overview } from './overview-query';

/** Age ranges in whole days, both ends included. */
const AGES = [
  [0, 0],
  [1, 1],
  [2, 3],
  [4, 7],
  [8, 29],
  [30, 30],
] as const;

const COLORS = [
  '#3b5bdb',
  '#0c8599',
  '#e8a33d',
  '#d0453b',
  '#7048c8',
  '#2b8a57',
  '#98a1ab',
] as const;

/** The open reconciliation breaks by age. */
export const ExceptionsChart = ({ exceptions }: Pick<Overview, 'exceptions'>) => {
  const t = useT();
  const kinds = [...new Set(exceptions.map(({ kind }) => kind))];
  const nameOf = (kind: string): string => t.reconciliation.kinds[kind] ?? kind;
  const data = AGES.map(([from, to]) => ({
    age: from === 30 ? '30+' : from === to ? String(from) : `${from}–${to}`,
    ...Object.fromEntries(
      kinds.map((kind) => [
        kind,
        exceptions
          .filter((one) => one.kind === kind && one.days >= from && one.days <= to)
          .reduce((sum, { count }) => sum + count, 0),
      ]),
    ),
  }));
  const legend = kinds.map((kind, index) => ({
    name: nameOf(kind),
    color: COLORS[index % COLORS.length] ?? COLORS[0],
  }));
  return (
    <Chart label={t.overview.exceptionsByAge} legend={legend} isLow>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={data} margin={{ top: 8, right: 4, bottom: 0, left: -18 }}>
          <CartesianGrid {...GRID} />
          <XAxis dataKey="age" {...AXIS} />
          <YAxis allowDecimals={false} {...AXIS} />
          <Tooltip {...TOOLTIP} />
          {kinds.map((kind, index) => (
            <Bar
              key={kind}
              dataKey={kind}
              name={nameOf(kind)}
              stackId="exceptions"
              fill={legend[index]?.color ?? COLORS[0]}
              isAnimationActive={false}
              maxBarSize={48}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </Chart>
  );
};
