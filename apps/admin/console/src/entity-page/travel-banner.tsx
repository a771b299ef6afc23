import { Button } from '@mantine/core';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useI18n } from '../i18n/i18n';
import { formatMoment } from '../shared/format';
import { Icon } from '../shared/icons';

interface TravelBannerProps {
  readonly events: readonly TimelineEntry[];
  readonly version: number;
  readonly onTravel: (version: number | null) => void;
}

/**
 * A banner that says that the page shows an earlier state, with a button to return to the current
 * state.
 */
export const TravelBanner = ({ events, version, onTravel }: TravelBannerProps) => {
  const { t, locale } = useI18n();
  const time = formatMoment(events[version - 1]?.at ?? '', locale);
  return (
    <div className={styles['past']}>
      <Icon name="history" />
      <span role="status">{t.story.asOf(time, version, events.length)}</span>
      <Button size="compact-sm" variant="default" onClick={() => onTravel(null)}>
        {t.story.backToNow}
      </Button>
    </div>
  );
};
