import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import { Evidence } from '../reconciliation/evidence';
import styles from './cases.module.css';

/** Reads a reconciliation break, open or closed. */
const useBreak = (id: string) =>
  useQuery({
    queryKey: ['cases', 'break', id],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/v1/exceptions', { params: { query: { id } }, signal }))).items,
    refetchInterval: REFRESH_MS.entity,
  });

/**
 * The values of a break in the ledger and at the provider. A closed break also shows who closed it
 * and why.
 */
export const BreakEvidence = ({ id }: { readonly id: string }) => {
  const t = useT();
  const [exception] = useBreak(id).data ?? [];
  if (exception === undefined) return null;
  const { paymentId, payoutId, merchantId } = exception;
  return (
    <section className={`card ${styles['panel']}`} aria-labelledby="evidence">
      <h2 id="evidence">{t.reconciliation.evidence}</h2>
      <Evidence exception={exception} />
      <p className={styles['links']}>
        {paymentId !== null && <EntityLink type="payment" id={paymentId} />}
        {payoutId !== null && <EntityLink type="payout" id={payoutId} />}
        <EntityLink id={merchantId} />
      </p>
    </section>
  );
};
