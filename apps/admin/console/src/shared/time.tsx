import { createContext, use, useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { formatAge, formatDay, formatInstant, formatUtc } from './format';

/** In the viewer's zone; UTC on hover. */
export const Time = ({ at }: { readonly at: string }) => {
  const { locale } = useI18n();
  return (
    <time dateTime={at} title={formatUtc(at)} className="nowrap">
      {formatInstant(at, locale)}
    </time>
  );
};

/** A day as the provider or a calendar says it: YYYY-MM-DD. */
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
 * By so many milliseconds business time is ahead of ours, as in development it may be; null before
 * that is known.
 */
export const ClockAhead = createContext<number | null>(null);

interface AgeProps {
  readonly at: string;
  /** Of what people and machines do, which no moved clock moves. */
  readonly isWall?: boolean;
}

/** How long ago, or how far ahead; the instant itself on hover. */
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
