import { Tabs } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useT } from '../i18n/i18n';
import { PageHeader } from '../shared/page-header';
import { DiscardedReactions } from './discarded-reactions';
import { FailedReactions } from './failed-reactions';
import { Projections } from './projections';
import { QueueState } from './queue-state';

const VIEWS = ['state', 'failed', 'discarded', 'projections'] as const;

type View = (typeof VIEWS)[number];

/** The work in progress, failed automatic reactions, and the read models. */
export const QueuesPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const view: View = VIEWS.find((one) => one === params.get('view')) ?? 'state';
  return (
    <>
      <PageHeader title={t.queues.title} lead={t.queues.lead} />
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) => setParams(next === null || next === 'state' ? {} : { view: next })}
      >
        <Tabs.List mb="md">
          {VIEWS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t.queues.views[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state">
          <QueueState />
        </Tabs.Panel>
        <Tabs.Panel value="failed">
          <FailedReactions />
        </Tabs.Panel>
        <Tabs.Panel value="discarded">
          <DiscardedReactions />
        </Tabs.Panel>
        <Tabs.Panel value="projections">
          <Projections />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
