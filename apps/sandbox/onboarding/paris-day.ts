import { type Instant, msOf } from '#kernel';

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Paris',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The calendar day in Europe/Paris, `YYYY-MM-DD`. */
export const parisDay = (at: Instant): string => parts.format(msOf(at));
