import { Tabs } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useT } from '../i18n/i18n';
import { PageHeader } from '../shared/page-header';
import { Accounts } from './accounts';
import { ApiKeys } from './api-keys';
import { Limits } from './limits';
import { Platforms } from './platforms';
import { WebhookEndpoints } from './webhook-endpoints';

const VIEWS = {
  platforms: Platforms,
  keys: ApiKeys,
  limits: Limits,
  accounts: Accounts,
  endpoints: WebhookEndpoints,
} as const;

type View = keyof typeof VIEWS;

/** Platforms, API keys, limits, provider accounts and webhook endpoints. */
export const SettingsPage = () => {
  const t = useT();
  const [params, setParams] = useSearchParams();
  const names = Object.keys(VIEWS) as View[];
  const view = names.find((one) => one === params.get('view')) ?? 'platforms';
  return (
    <>
      <PageHeader title={t.settings.title} lead={t.settings.lead} />
      <Tabs
        value={view}
        keepMounted={false}
        onChange={(next) => setParams(next === null ? {} : { view: next })}
      >
        <Tabs.List mb="md">
          {names.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t.settings.views[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((one) => {
          const Content = VIEWS[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <Content />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
};
