import { List, Stack, Text } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import { Json } from '../shared/json';
import type { Preview } from './action';
import styles from './actions.module.css';

/** The events that would be written, and the calls that would be made. */
export const PreviewView = ({ preview }: { readonly preview: Preview }) => {
  const t = useT();
  const { events, calls, follows, notes } = preview;
  return (
    <section className={styles['preview']} aria-label={t.actions.preview}>
      <Stack gap="sm">
        <div>
          <Text fw={600} size="sm">{t.actions.events(events.length)}</Text>
          {events.map(({ type, streamType, streamId, data }, index) => (
            <details key={`${streamId} ${type} ${index}`}>
              <summary>
                <strong>{type}</strong> <EntityLink type={streamType} id={streamId} />
              </summary>
              <Json label={type} value={data} className={styles['json']} />
            </details>
          ))}
        </div>
        {(calls.length > 0 || follows.length === 0) && (
          <div>
            <Text fw={600} size="sm">{t.actions.calls(calls.length)}</Text>
            <List size="sm">
              {calls.map((call) => (
                <List.Item key={call}><span className="mono">{call}</span></List.Item>
              ))}
            </List>
          </div>
        )}
        {follows.length > 0 && (
          <div>
            <Text fw={600} size="sm">{t.actions.follows}</Text>
            <List size="sm">
              {follows.map((follow) => <List.Item key={follow}>{follow}</List.Item>)}
            </List>
          </div>
        )}
        {notes.map((note) => <Text key={note} size="sm">{note}</Text>)}
      </Stack>
    </section>
  );
};
