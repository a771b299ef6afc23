import { Tabs } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useT } from '../i18n/i18n';
import { PageHeader } from '../shared/page-header';
import { ParkedKeys } from './parked-keys';
import { Projections } from './projections';
import { useParkedKeys, useStuckCalls } from './queue-queries';
import { QueueState } from './queue-state';
import { SkippedMessages } from './skipped-messages';
import { StuckCalls } from './stuck-calls';

const VIEWS = ['state', 'parked', 'skipped', 'calls', 'projections'] as const;

type View = (typeof VIEWS)[number];

/** What waits between the parts, and what waits for a person. */
export const QueuesPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const parked = useParkedKeys();
  const calls = useStuckCalls();
  const view: View = VIEWS.find((one) => one === params.get('view')) ?? 'state';
  const counts: Readonly<Record<View, number | undefined>> = {
    state: undefined, parked: parked.data?.length, skipped: undefined,
    calls: calls.data?.length, projections: undefined,
  };
  return (
    <>
      <PageHeader title={t.queues.title} lead={t.queues.lead} />
      <Tabs
        value={view} keepMounted={false}
        onChange={(next) => setParams(next === null || next === 'state' ? {} : { view: next })}
      >
        <Tabs.List mb="md">
          {VIEWS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t.queues.views[one]}{counts[one] !== undefined && ` (${counts[one]})`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state"><QueueState /></Tabs.Panel>
        <Tabs.Panel value="parked"><ParkedKeys query={parked} /></Tabs.Panel>
        <Tabs.Panel value="skipped"><SkippedMessages /></Tabs.Panel>
        <Tabs.Panel value="calls"><StuckCalls query={calls} /></Tabs.Panel>
        <Tabs.Panel value="projections"><Projections /></Tabs.Panel>
      </Tabs>
    </>
  );
};
