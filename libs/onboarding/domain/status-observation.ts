import type { Instant } from '#kernel';
import { COMPANY_STATUSES, type CompanyStatus } from './company-status.js';
import { type Day, earlierDay, parisDay } from './paris-day.js';

/**
 * Where the status was observed: in a row of the status history, in a GET of the company, or in the
 * response to another request.
 */
export type ObservationSource = 'history' | 'read' | 'response';

/** One status of a company as the provider showed it, with its day. */
export interface StatusObservation {
  /**
   * For `history`, the day of the change. For `read` and `response`, the day of the read: the
   * company had the status on that day, perhaps since an earlier day.
   */
  readonly day: Day;
  /** The status of the company at the provider. */
  readonly status: CompanyStatus;
  /**
   * Whether the provider ended the contract. Only rows of the status history show it, for the
   * statuses `closing` and `closed`; otherwise null.
   */
  readonly terminatedByProvider: boolean | null;
  readonly source: ObservationSource;
  /**
   * When the last read from the provider that contained this observation was made. A row of the
   * status history may be read days after its day.
   */
  readonly readAt: Instant;
}

const SOURCES: readonly ObservationSource[] = ['response', 'read', 'history'];

/**
 * The day by which an observation is sorted. If the provider's clock was ahead of ours, this is the
 * day of the read and not the observed, later day.
 */
const orderDay = ({ day, readAt }: StatusObservation): Day => earlierDay(day, parisDay(readAt));

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Sorts by day, then by the time of the read. Two reads within one millisecond are sorted by their
 * other fields, so that the order never depends on which read arrived first.
 */
const inOrder = (a: StatusObservation, b: StatusObservation): number =>
  compare(orderDay(a), orderDay(b)) ||
  compare(a.readAt, b.readAt) ||
  compare(SOURCES.indexOf(a.source), SOURCES.indexOf(b.source)) ||
  compare(COMPANY_STATUSES.indexOf(a.status), COMPANY_STATUSES.indexOf(b.status)) ||
  compare(a.day, b.day);

const stronger = (a: ObservationSource, b: ObservationSource): ObservationSource =>
  SOURCES.indexOf(a) >= SOURCES.indexOf(b) ? a : b;

const isRow = ({ source }: StatusObservation): boolean => source === 'history';

/**
 * A row of the status history and a read of the same status are never merged: the day of the row is
 * the day of the change, and a later read must not move it.
 */
const isSame = (a: StatusObservation, b: StatusObservation): boolean =>
  a.day === b.day && a.status === b.status && isRow(a) === isRow(b);

/**
 * Merges two observations of the same status on one day; the result is the same in either order.
 */
const merged = (known: StatusObservation, seen: StatusObservation): StatusObservation => ({
  ...known,
  terminatedByProvider:
    known.terminatedByProvider === null || seen.terminatedByProvider === null
      ? (known.terminatedByProvider ?? seen.terminatedByProvider)
      : known.terminatedByProvider || seen.terminatedByProvider,
  source: stronger(known.source, seen.source),
  readAt: known.readAt < seen.readAt ? seen.readAt : known.readAt,
});

/**
 * Whether a read adds no information, because the observations before and after it show the same
 * status.
 */
const isRedundant = (observations: readonly StatusObservation[], index: number): boolean => {
  const observation = observations[index];
  return (
    observation !== undefined &&
    !isRow(observation) &&
    observations[index - 1]?.status === observation.status &&
    observations[index + 1]?.status === observation.status
  );
};

/**
 * Adds one observation at its place. For each day and status one observation is stored, so that
 * their number grows with the company's changes and not with our reads. The history rows and the
 * newest observation are the same in whatever order and however often the observations are added.
 */
export const withObservation = (
  observations: readonly StatusObservation[],
  seen: StatusObservation,
): readonly StatusObservation[] => {
  const known = observations.find((observation) => isSame(observation, seen));
  const others = observations.filter((observation) => observation !== known);
  const all = [...others, known ? merged(known, seen) : seen].sort(inOrder);
  return all.filter((_observation, index) => !isRedundant(all, index));
};

/** Whether adding the observation would change the stored observations. */
export const addsInformation = (
  observations: readonly StatusObservation[],
  seen: StatusObservation,
): boolean => {
  const known = observations.find((observation) => isSame(observation, seen));
  if (known === undefined) return withObservation(observations, seen).includes(seen);
  const { terminatedByProvider, source, readAt } = merged(known, seen);
  return (
    readAt !== known.readAt ||
    source !== known.source ||
    terminatedByProvider !== known.terminatedByProvider
  );
};

/**
 * Whether a row of the status history can be skipped: the row is stored already, and no different
 * status was observed later on the row's day. Each row is read again on the following days, and
 * recording each read would add no information.
 */
export const isKnownRow = (
  observations: readonly StatusObservation[],
  seen: StatusObservation,
): boolean => {
  const known = observations.find((observation) => isSame(observation, seen));
  if (known === undefined || !isRow(seen) || orderDay(known) !== orderDay(seen)) return false;
  const { terminatedByProvider } = merged(known, seen);
  return (
    terminatedByProvider === known.terminatedByProvider &&
    !observations.some(
      (other) =>
        other.status !== known.status &&
        orderDay(other) === orderDay(known) &&
        inOrder(known, other) < 0,
    )
  );
};

export const newestOf = (
  observations: readonly StatusObservation[],
): StatusObservation | undefined => observations.at(-1);

/**
 * Whether a read adds no information, because the observation before it shows the same status, or
 * because a history row of the same day does. The history row states the day of the change exactly.
 */
const repeatsNeighbor = (observations: readonly StatusObservation[], index: number): boolean => {
  const [before, observation, after] = [
    observations[index - 1],
    observations[index],
    observations[index + 1],
  ];
  if (observation === undefined || isRow(observation)) return false;
  return (
    before?.status === observation.status ||
    (after !== undefined &&
      isRow(after) &&
      after.status === observation.status &&
      after.day === observation.day)
  );
};

/**
 * The company's status changes, oldest first: every row of the history, and each status that only a
 * read showed. The provider's history shows only the last change of a day, so other changes of the
 * same day may be missing.
 */
export const changesOf = (
  observations: readonly StatusObservation[],
): readonly StatusObservation[] =>
  observations.filter((_observation, index) => !repeatsNeighbor(observations, index));
