import { List, Stack, Text } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { Summary } from '../entity/summary';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { Json } from '../shared/json';
import { AboutLine } from './about-line';
import type { Preview } from './action';
import styles from './actions.module.css';
import { useTold } from './use-told';

interface EventProps {
  readonly event: Preview['events'][number];
  /** Of its amounts. */
  readonly currency: string | null;
}

/** In words with its amounts; as it would be recorded on demand. */
const PreviewEvent = ({ event, currency }: EventProps) => {
  const t = useT();
  const { type, streamType, streamId, data } = event;
  const { at: _, ...told } = data;
  return (
    <div className={styles['event']}>
      <Text size="sm">
        <strong>{eventText(t, type) ?? type}</strong> <EntityLink type={streamType} id={streamId} />
      </Text>
      <Summary data={told} currency={currency} />
      <details>
        <summary>
          <span className="mono">{type}</span>
        </summary>
        <Json label={type} value={data} className={styles['json']} />
      </details>
    </div>
  );
};

interface ToldListProps {
  readonly title: string;
  readonly texts: readonly string[];
}

const ToldList = ({ title, texts }: ToldListProps) => (
  <div>
    <Text fw={600} size="sm">
      {title}
    </Text>
    <List size="sm">
      {texts.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  </div>
);

/** The money that is meant, the events that would be written, and what else would happen. */
export const PreviewView = ({ preview }: { readonly preview: Preview }) => {
  const t = useT();
  const say = useTold();
  const { about, events, calls, follows, notes } = preview;
  return (
    <section className={styles['preview']} aria-label={t.actions.preview}>
      <Stack gap="sm">
        {about !== null && <AboutLine about={about} />}
        <div>
          <Text fw={600} size="sm">
            {t.actions.events(events.length)}
          </Text>
          {events.map((event, index) => (
            <PreviewEvent
              key={`${event.streamId} ${event.type} ${index}`}
              event={event}
              currency={about?.currency ?? null}
            />
          ))}
        </div>
        {(calls.length > 0 || follows.length === 0) && (
          <ToldList title={t.actions.calls(calls.length)} texts={calls.map(say)} />
        )}
        {follows.length > 0 && <ToldList title={t.actions.follows} texts={follows.map(say)} />}
        {notes.map(say).map((note) => (
          <Text key={note} size="sm">
            {note}
          </Text>
        ))}
      </Stack>
    </section>
  );
};
