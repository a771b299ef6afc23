import { RULES } from './rule-tests.js';

/** A series whose change an alert watches: its metric, and the labels that the alert selects. */
interface WatchedSeries {
  readonly alert: string;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Metrics whose series are not checked at the start of the app. `http_…` has a series for each
 * route and status, and the alert `ServerErrors` also fires on a new series. `payment_…` has a
 * series for each bank code, and its alert needs 20 declines. `jobs_open` has a series for each
 * kind of open jobs, and its alert needs growth for 15 minutes. `console_…` is tested by the admin
 * app's spec.
 */
const LATER = [
  'http_request_duration_seconds_count',
  'payment_attempts_declined_total',
  'jobs_open',
  'console_audit_rows',
];

const WATCHED = /\b(?:rate|increase|delta)\((\w+)(?:\{([^}]*)\})?\[/g;
const MATCHER = /(\w+)=~?"([^"]*)"/g;

/**
 * All combinations of label values in the matchers: `outcome=~"refused|limited"` has two values.
 */
const combinations = (matchers: string): readonly Readonly<Record<string, string>>[] =>
  [...matchers.matchAll(MATCHER)].reduce<readonly Readonly<Record<string, string>>[]>(
    (sets, [, label = '', values = '']) =>
      sets.flatMap((set) => values.split('|').map((value) => ({ ...set, [label]: value }))),
    [{}],
  );

/**
 * The series that alerts watch by `rate`, `increase` or `delta`. For these functions, a series that
 * appears with its first value has not changed. So each series must exist from the start of its
 * app.
 */
export const watchedSeries = (): readonly WatchedSeries[] =>
  RULES.flatMap(({ alert, expr }) =>
    [...expr.matchAll(WATCHED)].flatMap(([, metric = '', matchers = '']) =>
      LATER.includes(metric)
        ? []
        : combinations(matchers).map((labels) => ({ alert, metric, labels })),
    ),
  );

/** Whether a text that an app serves at /metrics contains the series. */
export const hasSeries = (text: string, { metric, labels }: WatchedSeries): boolean =>
  text.split('\n').some((line) => {
    const [, name, pairs = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    return (
      name === metric &&
      Object.entries(labels).every(([label, value]) => pairs.includes(`${label}="${value}"`))
    );
  });
