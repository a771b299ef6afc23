import type { Answer } from '../stack/platform.js';
import { onServer } from '../infra/databases.mjs';

/** A request of the platform that an api has answered with 202, so that it must not be lost. */
export interface Acknowledgement {
  readonly kind: 'refund' | 'capture' | 'cancellation';
  readonly orderId: string;
  /** The id of the refund (`rfr_…`) or of the capture (`cap_…`); null for a cancellation. */
  readonly id: string | null;
  /** The amount in minor units in the response; null for a cancellation. */
  readonly amountMinor: number | null;
}

/** The acknowledged requests, compared with the event log before any repair. */
export interface AcknowledgementFacts {
  readonly requests: readonly (Acknowledgement & {
    /** Whether the log contained an event of this request, with the same id and amount. */
    readonly isRecorded: boolean;
  })[];
  /** The order ids of refunds in the log that no api has acknowledged. */
  readonly unacknowledged: readonly string[];
}

const RECORDED = `
  SELECT DISTINCT
         CASE type WHEN 'CaptureRequested' THEN 'capture'
                   WHEN 'OrderCancellationRequested' THEN 'cancellation'
                   ELSE 'refund' END AS kind,
         metadata ->> 'correlationId' AS "orderId",
         coalesce(data ->> 'requestId', data ->> 'captureId') AS id,
         (data ->> 'amountMinor')::int AS "amountMinor"
    FROM events
   WHERE type IN ('RefundQueued', 'RefundRequested', 'CaptureRequested',
                  'OrderCancellationRequested')`;

const refOf = ({ kind, orderId, id, amountMinor }: Acknowledgement): string =>
  JSON.stringify([kind, orderId, id, amountMinor]);

/**
 * Compares the acknowledged requests with the event log. Must be called before any repair, because
 * a repair would hide a lost request.
 */
export const compareWithLog = async (
  url: string,
  requests: readonly Acknowledgement[],
): Promise<AcknowledgementFacts> => {
  const recorded = await onServer(
    url,
    async (client) => (await client.query<Acknowledgement>(RECORDED)).rows,
  );
  const known = new Set(recorded.map(refOf));
  const acknowledged = new Set(requests.map(refOf));
  return {
    requests: requests.map((one) => ({ ...one, isRecorded: known.has(refOf(one)) })),
    unacknowledged: recorded
      .filter((one) => one.kind === 'refund' && !acknowledged.has(refOf(one)))
      .map(({ orderId }) => orderId),
  };
};

/** Returns a function that adds each acknowledgement to the list, for `LoadParts.onAnswer`. */
export const addTo =
  (list: Acknowledgement[]) =>
  (one: Acknowledgement | null): void => {
    if (one !== null) list.push(one);
  };

/** The acknowledgement of a refund; null when the request was refused. */
export const acknowledgedRefund = (
  orderId: string,
  { status, body }: Answer,
): Acknowledgement | null =>
  status === 202
    ? {
        kind: 'refund',
        orderId,
        id: String(body['id']),
        amountMinor: Number(body['amountMinor']),
      }
    : null;

/** The acknowledgement of a cancellation; null when the request was refused. */
export const acknowledgedCancellation = (
  orderId: string,
  { status }: Answer,
): Acknowledgement | null =>
  status === 202 ? { kind: 'cancellation', orderId, id: null, amountMinor: null } : null;

interface Captured {
  readonly captures: readonly { readonly id: string; readonly amountMinor: number }[];
}

/**
 * The acknowledgement of a capture; null if the request was refused. If the response contains no
 * capture, the acknowledgement matches no event, so the check reports it.
 */
export const acknowledgedCapture = (
  orderId: string,
  { status, body }: Answer,
): Acknowledgement | null => {
  if (status !== 202) return null;
  const { id = null, amountMinor = null } = (body['payment'] as Captured).captures.at(-1) ?? {};
  return { kind: 'capture', orderId, id, amountMinor };
};
