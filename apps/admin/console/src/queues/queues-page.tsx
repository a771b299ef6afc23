import { Tabs } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useT } from '../i18n/i18n';
import { PageHeader } from '../shared/page-header';
import { DiscardedReactions } from './discarded-reactions';
import { FailedReactions } from './failed-reactions';
import { Projections } from './projections';
import { useFailedReactions, useStuckCalls } from './queue-queries';
import { QueueState } from './queue-state';
import { StuckCalls } from './stuck-calls';

const VIEWS = ['state', 'failed', 'discarded', 'calls', 'projections'] as const;

type View = (typeof VIEWS)[number];

/** The work in progress and the failures that need attention. */
export const QueuesPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const failed = useFailedReactions();
  const calls = useStuckCalls();
  const view: View = VIEWS.find((one) => one === params.get('view')) ?? 'state';
  const counts: Readonly<Record<View, number | undefined>> = {
    state: undefined,
    failed: failed.data?.length,
    discarded: undefined,
    calls: calls.data?.length,
    projections: undefined,
  };
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
              {counts[one] !== undefined && ` (${counts[one]})`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state">
          <QueueState />
        </Tabs.Panel>
        <Tabs.Panel value="failed">
          <FailedReactions query={failed} />
        </Tabs.Panel>
        <Tabs.Panel value="discarded">
          <DiscardedReactions />
        </Tabs.Panel>
        <Tabs.Panel value="calls">
          <StuckCalls query={calls} />
        </Tabs.Panel>
        <Tabs.Panel value="projections">
          <Projections />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
