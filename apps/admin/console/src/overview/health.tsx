import { Link } from 'wouter';
import { ORDER_TONES, type OrderStatus } from '../entity/order-status';
import { useI18n } from '../i18n/i18n';
import { operationText } from '../i18n/operation-text';
import { lagTone } from '../queues/lag-tone';
import { formatCount, formatSpan } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { Age, Day } from '../shared/time';
import type { Overview } from './overview-query';
import styles from './overview.module.css';
import { Panel } from './panel';

/** The oldest order of each open status. */
export const OldestOpen = ({ oldestOpen }: Pick<Overview, 'oldestOpen'>) => {
  const { t } = useI18n();
  return (
    <Panel title={t.overview.oldest}>
      {oldestOpen.length === 0 && <p className={styles['hint']}>{t.overview.oldestNone}</p>}
      <table className={styles['rows']} aria-label={t.overview.oldest}>
        <tbody>
          {oldestOpen.map(({ status, orderId, placedAt }) => (
            <tr key={status}>
              <th scope="row">
                <StatusBadge
                  tone={ORDER_TONES[status as OrderStatus]}
                  label={t.lists.orderStatus[status as OrderStatus]}
                />
              </th>
              {/* The order's id is a tooltip, because the column is too narrow for it. */}
              <td className={styles['end']}>
                <Link className="link" href={`/orders/${orderId}`} title={orderId}>
                  <Age at={placedAt} />
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

export const Relay = ({ relay }: Pick<Overview, 'relay'>) => {
  const { t, locale } = useI18n();
  return (
    <Panel title={t.overview.relay} hint={t.overview.relayHint}>
      <StatusBadge
        tone={lagTone(relay.seconds)}
        label={
          relay.events === 0
            ? t.overview.relayUpToDate
            : t.overview.relayBehind(
                formatCount(relay.events, locale),
                formatSpan(relay.seconds, t.shared.dayUnit),
              )
        }
      />
    </Panel>
  );
};

const BAD_SHARE = 0.05;
/**
 * The maximum number of routes shown. The routes are sorted by failures, so that failing routes are
 * always among them.
 */
const MAX_ROUTES = 12;

type Route = Overview['provider'][number];

/** The number of requests of a route that got no response, a server error or a refusal. */
const troublesOf = ({ failures, refused }: Route): number => failures + refused;

const Troubles = ({ count, calls }: { readonly count: number; readonly calls: number }) => {
  const { locale } = useI18n();
  if (count === 0) return '0';
  const tone = count / calls >= BAD_SHARE ? 'bad' : 'wait';
  return <StatusBadge tone={tone} label={formatCount(count, locale)} />;
};

/** ARIA roles are explicit, because browsers drop them from the layout for phones. */
export const ProviderHealth = ({ provider }: Pick<Overview, 'provider'>) => {
  const { t, locale } = useI18n();
  const routes = provider.toSorted((a, b) => troublesOf(b) - troublesOf(a)).slice(0, MAX_ROUTES);
  return (
    <Panel title={t.overview.provider} hint={t.overview.providerHint}>
      {provider.length === 0 && <p className={styles['hint']}>{t.overview.providerNone}</p>}
      {provider.length > 0 && (
        <table
          role="table"
          className={`${styles['rows']} ${styles['routes']}`}
          aria-label={t.overview.provider}
        >
          <thead role="rowgroup">
            <tr role="row">
              <th role="columnheader" scope="col">
                {t.overview.route}
              </th>
              <th role="columnheader" scope="col" className={styles['end']}>
                {t.overview.calls}
              </th>
              <th role="columnheader" scope="col" className={styles['end']}>
                {t.overview.failures}
              </th>
              <th role="columnheader" scope="col" className={styles['end']}>
                {t.overview.refused}
              </th>
              <th role="columnheader" scope="col" className={styles['end']}>
                {t.overview.p95}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {routes.map(({ route, operation, calls, failures, refused, p95Ms }) => (
              <tr key={route} role="row">
                <th role="rowheader" scope="row" title={route}>
                  {operationText(t, operation) ?? <span className="mono">{route}</span>}
                </th>
                <td role="cell" className={styles['end']}>
                  {formatCount(calls, locale)}
                </td>
                <td role="cell" className={styles['end']}>
                  <Troubles count={failures} calls={calls} />
                </td>
                <td role="cell" className={styles['end']}>
                  <Troubles count={refused} calls={calls} />
                </td>
                <td role="cell" className={`${styles['end']} nowrap`}>
                  {Math.round(p95Ms)} ms
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {provider.length > routes.length && (
        <p className={styles['hint']}>{t.overview.moreRoutes(provider.length - routes.length)}</p>
      )}
    </Panel>
  );
};

/** The day up to which data without webhooks has been polled. */
export const Watermarks = ({ watermarks }: Pick<Overview, 'watermarks'>) => {
  const { t } = useI18n();
  if (watermarks.length === 0) return null;
  return (
    <Panel title={t.overview.watermarks} hint={t.overview.watermarksHint}>
      <table className={styles['rows']} aria-label={t.overview.watermarks}>
        <tbody>
          {watermarks.map(({ kind, of, watermark }) => (
            <tr key={`${kind} ${of}`}>
              <th scope="row">{t.overview.watermarkKinds[kind]}</th>
              <td className={styles['cut']}>
                <span className="mono" title={of}>
                  {of}
                </span>
              </td>
              <td className={styles['end']}>
                <Day day={watermark} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
