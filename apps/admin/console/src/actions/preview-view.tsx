import { List, Stack, Text } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { Summary } from '../entity/summary';
import { eventText } from '../i18n/event-text';
import { useT } from '../i18n/i18n';
import { Json } from '../shared/json';
import { AboutLine } from './about-line';
import type { Preview } from './action';
import styles from './actions.module.css';
import { usePreviewText } from './use-preview-text';

interface EventProps {
  readonly event: Preview['events'][number];
  /** The currency of the amounts. */
  readonly currency: string | null;
}

/** An event of a preview as text with its amounts; its data is shown on demand. */
const PreviewEvent = ({ event, currency }: EventProps) => {
  const t = useT();
  const { type, streamType, streamId, data } = event;
  const { at: _, ...values } = data;
  return (
    <div className={styles['event']}>
      <Text size="sm">
        <strong>{eventText(t, type) ?? type}</strong> <EntityLink type={streamType} id={streamId} />
      </Text>
      <Summary data={values} currency={currency} />
      <details>
        <summary>
          <span className="mono">{type}</span>
        </summary>
        <Json label={type} value={data} className={styles['json']} />
      </details>
    </div>
  );
};

interface TextListProps {
  readonly title: string;
  readonly texts: readonly string[];
}

const TextList = ({ title, texts }: TextListProps) => (
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

/** The amount, the events that would be recorded, and the follow-up actions. */
export const PreviewView = ({ preview }: { readonly preview: Preview }) => {
  const t = useT();
  const textOf = usePreviewText();
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
          <TextList title={t.actions.calls(calls.length)} texts={calls.map(textOf)} />
        )}
        {follows.length > 0 && <TextList title={t.actions.follows} texts={follows.map(textOf)} />}
        {notes.map(textOf).map((note) => (
          <Text key={note} size="sm">
            {note}
          </Text>
        ))}
      </Stack>
    </section>
  );
};
