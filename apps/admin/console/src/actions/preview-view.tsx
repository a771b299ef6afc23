import { List, Stack, Text } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { Summary } from '../entity/summary';
import { useT } from '../i18n/i18n';
import { Json } from '../shared/json';
import { AboutLine } from './about-line';
import type { Preview } from './action';
import styles from './actions.module.css';

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
      <Text size="sm"><strong>{t.events[type] ?? type}</strong></Text>
      <Summary data={told} currency={currency} />
      <details>
        <summary>
          <span className="mono">{type}</span> <EntityLink type={streamType} id={streamId} />
        </summary>
        <Json label={type} value={data} className={styles['json']} />
      </details>
    </div>
  );
};

/**
 * The money that is meant, the events that would be written, the calls that would be made. What
 * follows is told by the server, in English.
 */
export const PreviewView = ({ preview }: { readonly preview: Preview }) => {
  const t = useT();
  const { about, events, calls, follows, notes } = preview;
  return (
    <section className={styles['preview']} aria-label={t.actions.preview}>
      <Stack gap="sm">
        {about !== null && <AboutLine about={about} />}
        <div>
          <Text fw={600} size="sm">{t.actions.events(events.length)}</Text>
          {events.map((event, index) => (
            <PreviewEvent
              key={`${event.streamId} ${event.type} ${index}`} event={event}
              currency={about?.currency ?? null}
            />
          ))}
        </div>
        {(calls.length > 0 || follows.length === 0) && (
          <div>
            <Text fw={600} size="sm">{t.actions.calls(calls.length)}</Text>
            <List size="sm" lang="en">
              {calls.map((call) => (
                <List.Item key={call}><span className="mono">{call}</span></List.Item>
              ))}
            </List>
          </div>
        )}
        {follows.length > 0 && (
          <div>
            <Text fw={600} size="sm">{t.actions.follows}</Text>
            <List size="sm" lang="en">
              {follows.map((follow) => <List.Item key={follow}>{follow}</List.Item>)}
            </List>
          </div>
        )}
        {notes.map((note) => <Text key={note} size="sm" lang="en">{note}</Text>)}
      </Stack>
    </section>
  );
};
