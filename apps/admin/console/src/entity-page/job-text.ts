import type { TimelineEntry } from '../entity/entity-types';
import type { Dictionary } from '../i18n/en';
import { formatMoment } from '../shared/format';

/** A sentence about a provider request that has not succeeded yet. */
export const jobText = (t: Dictionary, { name, data }: TimelineEntry, locale: string): string => {
  const work = t.calls[name] ?? name;
  const { ready, calling, waiting, stuck } = t.payment.jobs;
  const { dueAt, state, tries } = data;
  switch (state) {
    case 'calling':
      return calling(work);
    case 'stuck':
      return stuck(work, Number(tries ?? 0));
    default:
      return typeof dueAt === 'string' ? waiting(work, formatMoment(dueAt, locale)) : ready(work);
  }
};
