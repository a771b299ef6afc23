import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { REFRESH_MS } from '../api/refresh';

/**
 * The order, merchant, fees and payouts of a payment; `version`: the number of its events, each of
 * which may change them.
 */
export const usePaymentSummary = (id: string, version: number) =>
  useQuery({
    queryKey: ['entity', 'payment', id, 'summary', version],
    queryFn: () => bodyOf(api.GET('/v1/payments/{id}/summary', { params: { path: { id } } })),
    refetchInterval: REFRESH_MS.entity,
    placeholderData: keepPreviousData,
  });
