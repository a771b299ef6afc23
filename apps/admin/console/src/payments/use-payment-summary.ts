import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { REFRESH_MS } from '../api/refresh';
import { useTravelVersion } from '../entity/travel';

/**
 * The order, merchant, fees and payouts of a payment, now or at the time to which the page travelled;
 * `count`: the number of its events, each of which may change them.
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
