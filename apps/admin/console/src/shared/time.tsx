import { createContext, use, useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { formatAge, formatDay, formatInstant, formatUtc } from './format';

/** An instant in the viewer's time zone; in UTC on hover. */
export const Time = ({ at }: { readonly at: string }) => {
  const { locale } = useI18n();
  return (
    <time dateTime={at} title={formatUtc(at)} className="nowrap">
      {formatInstant(at, locale)}
    </time>
  );
};

/** A calendar day, YYYY-MM-DD, the same in every time zone. */
export const Day = ({ day }: { readonly day: string }) => {
  const { locale } = useI18n();
  return (
    <time dateTime={day} title={day} className="nowrap">
      {formatDay(day, locale)}
    </time>
  );
};

const TICK_MS = 10_000;

export const useWallNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/**
 * The milliseconds by which business time is ahead of the wall clock; not zero with a simulated
 * clock, null until loaded.
 */
export const ClockAhead = createContext<number | null>(null);

/** The present business time in milliseconds; the wall clock's time until the offset is loaded. */
export const useBusinessNow = (): number => {
  const ahead = use(ClockAhead);
  return useWallNow() + (ahead ?? 0);
};

interface AgeProps {
  readonly at: string;
  /** Whether the instant was recorded in wall-clock time, not in business time. */
  readonly isWall?: boolean;
}

/** The time since or until an instant; the instant itself is shown on hover. */
export const Age = ({ at, isWall = false }: AgeProps) => {
  const { locale } = useI18n();
  const aheadMs = use(ClockAhead);
  const wallNow = useWallNow();
  const ahead = isWall ? 0 : aheadMs;
  if (ahead === null) return <Time at={at} />;
  return (
    <time
      dateTime={at}
      title={`${formatInstant(at, locale)} · ${formatUtc(at)}`}
      className="nowrap"
    >
      {formatAge(at, wallNow + ahead, locale)}
    </time>
  );
};
