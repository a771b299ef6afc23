import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { useTravelVersion } from '../entity/travel';

/**
 * The order, merchant, fees and payouts of a payment, now or at the selected earlier time. `count`
 * is the number of the payment's events; each new event causes a new read.
 */
export const usePaymentSummary = (id: string, count: number) => {
  const version = useTravelVersion();
  const query = version === null ? {} : { version };
  return useQuery({
    queryKey: ['entity', 'payment', id, 'summary', version, count],
    queryFn: () =>
      bodyOf(api.GET('/v1/payments/{id}/summary', { params: { path: { id }, query } })),
    refetchInterval: REFRESH_MS.entity,
    placeholderData: keepPreviousData,
  });
};
