import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { OrderStatus } from '../entity/order-status';
import { useI18n } from '../i18n/i18n';
import { Chart } from './chart';
import { AXIS, GRID, TOOLTIP } from './chart-style';
import type { Overview } from './overview-query';

const COLORS: Readonly<Record<OrderStatus, string>> = {
  paid: 'light-dark(#2b8a57, #4fc085)',
  authorized: 'light-dark(#3b5bdb, #7c9aff)',
  open: 'light-dark(#e8a33d, #d99a3a)',
  closing: 'light-dark(#b98a4a, #a17c48)',
  failed: 'light-dark(#d0453b, #f0776d)',
  expired: 'light-dark(#98a1ab, #6f7883)',
  canceled: 'light-dark(#c3c9d0, #4c545d)',
};

const STATUSES = Object.keys(COLORS) as OrderStatus[];
const HOUR_MS = 3_600_000;
const HOURS = 24;

interface Hour extends Partial<Record<OrderStatus, number>> {
  readonly atMs: number;
}

/** The last 24 hours, including hours without orders. */
const hoursOf = ({ byHour, now }: Overview): readonly Hour[] => {
  const lastMs = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => {
    const atMs = lastMs - (HOURS - 1 - index) * HOUR_MS;
    const counts = byHour
      .filter(({ hour }) => Math.floor(Date.parse(hour) / HOUR_MS) * HOUR_MS === atMs)
      .map(({ status, orders }) => [status, orders]);
    return { atMs, ...(Object.fromEntries(counts) as Partial<Record<OrderStatus, number>>) };
  });
};

/** The orders of the last 24 hours, by hour and current status. */
export const OrdersChart = ({ overview }: { readonly overview: Overview }) => {
  const { t, locale } = useI18n();
  const there = STATUSES.filter((one) => overview.byHour.some(({ status }) => status === one));
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const total = overview.byHour.reduce((sum, { orders }) => sum + orders, 0);
  return (
    <Chart
      label={t.overview.ordersSentence(total)}
      legend={there.map((one) => ({ name: t.lists.orderStatus[one], color: COLORS[one] }))}
    >
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...hoursOf(overview)]} margin={{ top: 8, right: 4, bottom: 0, left: -18 }}>
          <CartesianGrid {...GRID} />
          <XAxis dataKey="atMs" tickFormatter={(at: number) => clock.format(at)} {...AXIS} />
          <YAxis allowDecimals={false} {...AXIS} />
          <Tooltip {...TOOLTIP} labelFormatter={(at) => clock.format(Number(at))} />
          {there.map((one) => (
            <Bar
              key={one}
              dataKey={one}
              name={t.lists.orderStatus[one]}
              stackId="orders"
              fill={COLORS[one]}
              isAnimationActive={false}
              maxBarSize={36}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </Chart>
  );
};
