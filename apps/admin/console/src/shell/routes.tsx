import { Center, Loader } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useT } from '../i18n/i18n';
import { ErrorBoundary } from '../shared/error-boundary';
import { NotFound } from '../shared/not-found';
import { PAGE_LOADERS } from './page-loaders';
import { PAGES } from './pages';

const lazily = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));

const ROUTES = PAGES.map(({ path, name }) => ({ path, Page: lazily(PAGE_LOADERS[name]) }));

/** The code of the first page is loaded in parallel with the session. */
const first = PAGES.find(({ path }) => path === location.pathname);
if (first !== undefined) void PAGE_LOADERS[first.name]();

const EntityPage = lazily(async () => (await import('../entity-page/entity-page')).EntityPage);

const CasePage = lazily(async () => (await import('../cases/case-page')).CasePage);

const Waiting = () => {
  const t = useT();
  return (
    <Center h="50vh">
      <Loader role="status" aria-label={t.shared.loading} />
    </Center>
  );
};

/** The page for each URL path. */
export const Routes = () => {
  const t = useT();
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          {ROUTES.map(({ path, Page }) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route path="/cases/:id" component={CasePage} />
          <Route path="/:kind/:id" component={EntityPage} />
          <Route>
            <NotFound title={t.shell.notFound} hint={t.shell.notFoundHint} />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
};
