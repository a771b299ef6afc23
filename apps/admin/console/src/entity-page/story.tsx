import styles from '../entity/entity.module.css';
import { useI18n } from '../i18n/i18n';
import { chaptersOf } from '../story/chapters';
import { useActorName } from '../users/actor-name';
import type { TimelineViewProps } from './raw-timeline';
import { StoryItem } from './story-item';

/** The events of an entity as sentences, in the order of business time. */
export const Story = (props: TimelineViewProps) => {
  const { entries, currency, isNewestFirst, isOwn, whenOf, onTravel } = props;
  const { t, locale } = useI18n();
  const nameOf = useActorName();
  const chapters = chaptersOf(entries);
  const context = { t, locale, currency, entries, nameOf };
  return (
    <ol className={styles['timeline']}>
      {(isNewestFirst ? chapters.toReversed() : chapters).map((chapter) => (
        <StoryItem
          key={chapter.entry.id}
          chapter={chapter}
          context={context}
          when={whenOf(chapter.entry)}
          isOwn={isOwn(chapter.entry)}
          onTravel={onTravel}
        />
      ))}
    </ol>
  );
};
