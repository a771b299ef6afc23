import { specPool } from '#testing';
import type { Flow } from './flow.js';

type Counts = Readonly<Record<string, number>>;

interface Row {
  readonly type: string;
  /** The currency of the payment to which the event belongs. */
  readonly currency: string | null;
  /** The capture policy of the order to which the event belongs. */
  readonly capture: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const EVENTS = `
  SELECT e.type, e.data, i.data ->> 'currency' AS currency,
         p.data -> 'capture' ->> 'policy' AS capture
    FROM events e
    LEFT JOIN events i ON i.stream_id = e.stream_id AND i.type = 'IntentRequested'
    LEFT JOIN events p ON p.stream_id = e.stream_id AND p.type = 'OrderPlaced'
   WHERE e.stream_type IN ('order', 'payment')`;

/** The metric series that an event increases, and the amount of the increase. */
const seriesOf = ({
  type,
  currency,
  capture,
  data,
}: Row): readonly [series: string, value: number] | null => {
  const amount = Number(data['amountMinor']);
  switch (type) {
    case 'OrderPlaced':
      return ['orders_placed_total', 1];
    case 'OrderPaid':
      return [`order_time_to_paid_seconds_count{capture="${capture}"}`, 1];
    case 'PaymentAuthorized':
      return ['payments_authorized_total{method="card"}', 1];
    case 'DirectDebitAccepted':
      return ['payments_authorized_total{method="sepa"}', 1];
    case 'AttemptRefused': {
      const code = typeof data['responseCode'] === 'string' ? data['responseCode'] : 'none';
      return [`payment_attempts_declined_total{method="card",code="${code}"}`, 1];
    }
    case 'PaymentCaptured':
      return [`captured_amount_minor_total{currency="${currency}"}`, amount];
    case 'RefundSucceeded':
      return [`refunded_amount_minor_total{currency="${currency}"}`, amount];
    case 'DisputeObserved':
      return [`charged_back_amount_minor_total{currency="${currency}"}`, amount];
    default:
      return null;
  }
};

const NAMES =
  /^(?:orders_placed_total|order_time_to_paid_seconds_count|payments_authorized_total|payment_attempts_declined_total|(?:captured|refunded|charged_back)_amount_minor_total)\b/;

const summed = (entries: readonly (readonly [string, number])[]): Counts => {
  const sums: Record<string, number> = {};
  for (const [name, value] of entries) if (value > 0) sums[name] = (sums[name] ?? 0) + value;
  return sums;
};

/** The business metrics summed over all processes, without metrics whose value is 0. */
export const countedByProcesses = async ({ stack }: Flow): Promise<Counts> => {
  const urls = new Set([...stack.apis, ...stack.workers].map(({ internalUrl }) => internalUrl));
  const texts = await Promise.all(
    [...urls].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => NAMES.test(line));
  return summed(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
};

/** The business metrics, calculated from all events of the log. */
export const countedFromLog = async ({ stack }: Flow): Promise<Counts> => {
  const pool = specPool(stack.databases.orchestrator, 1);
  const { rows } = await pool.query<Row>(EVENTS);
  await pool.end();
  return summed(rows.map(seriesOf).filter((one) => one !== null));
};
