import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { formatAge, formatInstant, formatUtc } from './format';

/** In the viewer's zone; UTC on hover. */
export const Time = ({ at }: { readonly at: string }) => {
  const { locale } = useI18n();
  return (
    <time dateTime={at} title={formatUtc(at)} className="nowrap">
      {formatInstant(at, locale)}
    </time>
  );
};

const TICK_MS = 10_000;

const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** How long ago, or how far ahead; the instant itself on hover. */
export const Age = ({ at }: { readonly at: string }) => {
  const { locale } = useI18n();
  const now = useNow();
  return (
    <time
      dateTime={at} title={`${formatInstant(at, locale)} · ${formatUtc(at)}`} className="nowrap"
    >
      {formatAge(at, now, locale)}
    </time>
  );
};
