import type { Instant } from '#kernel';
import { COMPANY_STATUSES, type CompanyStatus } from './company-status.js';
import { type Day, earlierDay, parisDay } from './paris-day.js';

/** How a status was learnt: a row of the history, a GET of the company, the answer to a call. */
export type SightingSource = 'history' | 'read' | 'response';

/**
 * A company's status on a day. Of `history` the day is that of the change; of the others that of
 * the reading, on which the company had the status, since whenever.
 */
export interface Sighting {
  readonly day: Day;
  readonly status: CompanyStatus;
  /** Told by rows of the history alone, of the two endings; null where nothing told it. */
  readonly terminatedByProvider: boolean | null;
  readonly source: SightingSource;
  /** When it was last read; of a day that is over it is later than the day. */
  readonly readAt: Instant;
}

const SOURCES: readonly SightingSource[] = ['response', 'read', 'history'];

/** A day that has not begun where it was read is that of the reading: the clocks differ. */
const orderDay = ({ day, readAt }: Sighting): Day => earlierDay(day, parisDay(readAt));

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * By day and then by when it was read. What is left is chance, two readings in one millisecond,
 * and has an order too: or else the order of arrival would decide.
 */
const inOrder = (a: Sighting, b: Sighting): number =>
  compare(orderDay(a), orderDay(b)) ||
  compare(a.readAt, b.readAt) ||
  compare(SOURCES.indexOf(a.source), SOURCES.indexOf(b.source)) ||
  compare(COMPANY_STATUSES.indexOf(a.status), COMPANY_STATUSES.indexOf(b.status)) ||
  compare(a.day, b.day);

const stronger = (a: SightingSource, b: SightingSource): SightingSource =>
  SOURCES.indexOf(a) >= SOURCES.indexOf(b) ? a : b;

const isRow = ({ source }: Sighting): boolean => source === 'history';

/** Rows and readings are kept apart: that of a row is the day of the change, and must not move. */
const isSame = (a: Sighting, b: Sighting): boolean =>
  a.day === b.day && a.status === b.status && isRow(a) === isRow(b);

/** What two sightings of one status on one day say together, whichever came first. */
const merged = (known: Sighting, seen: Sighting): Sighting => ({
  ...known,
  terminatedByProvider:
    known.terminatedByProvider === null || seen.terminatedByProvider === null
      ? (known.terminatedByProvider ?? seen.terminatedByProvider)
      : known.terminatedByProvider || seen.terminatedByProvider,
  source: stronger(known.source, seen.source),
  readAt: known.readAt < seen.readAt ? seen.readAt : known.readAt,
});

/** A reading between two others that show the same tells nothing that they do not. */
const isIdle = (sightings: readonly Sighting[], index: number): boolean => {
  const sighting = sightings[index];
  return (
    sighting !== undefined &&
    !isRow(sighting) &&
    sightings[index - 1]?.status === sighting.status &&
    sightings[index + 1]?.status === sighting.status
  );
};

/**
 * The sightings with one more, in order. One of each status and day is kept, so that their number
 * follows that of the company's changes and not that of our looks. In whatever order and however
 * often they are added, the rows of the history and the newest of all come out the same.
 */
export const withSighting = (
  sightings: readonly Sighting[],
  seen: Sighting,
): readonly Sighting[] => {
  const known = sightings.find((sighting) => isSame(sighting, seen));
  const others = sightings.filter((sighting) => sighting !== known);
  const all = [...others, known ? merged(known, seen) : seen].sort(inOrder);
  return all.filter((_sighting, index) => !isIdle(all, index));
};

/** Whether adding it would change anything. */
export const isNews = (sightings: readonly Sighting[], seen: Sighting): boolean => {
  const known = sightings.find((sighting) => isSame(sighting, seen));
  if (known === undefined) return withSighting(sightings, seen).includes(seen);
  const { terminatedByProvider, source, readAt } = merged(known, seen);
  return (
    readAt !== known.readAt ||
    source !== known.source ||
    terminatedByProvider !== known.terminatedByProvider
  );
};

/**
 * Whether a row of the history need not be observed: it is known, and nothing else is known of its
 * day that came after it. Rows are read several times, on days that follow, and an event for each
 * reading would tell nothing.
 */
export const isKnownRow = (sightings: readonly Sighting[], seen: Sighting): boolean => {
  const known = sightings.find((sighting) => isSame(sighting, seen));
  if (known === undefined || !isRow(seen) || orderDay(known) !== orderDay(seen)) return false;
  const { terminatedByProvider } = merged(known, seen);
  return (
    terminatedByProvider === known.terminatedByProvider &&
    !sightings.some(
      (other) =>
        other.status !== known.status &&
        orderDay(other) === orderDay(known) &&
        inOrder(known, other) < 0,
    )
  );
};

export const newestOf = (sightings: readonly Sighting[]): Sighting | undefined => sightings.at(-1);

/** A reading that shows what is known already, or what a row of its own day tells better. */
const isEcho = (sightings: readonly Sighting[], index: number): boolean => {
  const [before, sighting, after] = [sightings[index - 1], sightings[index], sightings[index + 1]];
  if (sighting === undefined || isRow(sighting)) return false;
  return (
    before?.status === sighting.status ||
    (after !== undefined &&
      isRow(after) &&
      after.status === sighting.status &&
      after.day === sighting.day)
  );
};

/**
 * The company's changes, oldest first: every row of the history, and what readings showed that no
 * row has told (yet). Of several changes within a day the provider's history shows the last one, as
 * of when it was read, so some may stay hidden.
 */
export const changesOf = (sightings: readonly Sighting[]): readonly Sighting[] =>
  sightings.filter((_sighting, index) => !isEcho(sightings, index));
