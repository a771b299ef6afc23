import { RESOURCES } from '../ids.js';
import type { ApiResource } from './api-resource.js';
import type { Route } from './route.js';

/**
 * The operations that all resources have in common. See
 * docs/provider/payments-completion.md#resources.
 */
export const resourceRoutes = (resource: ApiResource): readonly Route[] => {
  const { prefix, title, answer, page, list, create, patch, removed } = resource;
  const { name: called, paths } = RESOURCES[prefix];
  const all = `/v2/${paths[0]}`;
  const one = { path: `${all}/{id}`, prefix, tag: called, answer } as const;
  const routes: Route[] = [
    {
      method: 'get',
      path: all,
      prefix,
      operationId: `list${title}`,
      tag: called,
      query: list,
      answer: page,
      summary: 'List, newest first',
    },
    { ...one, method: 'get', operationId: `read${title}`, summary: 'Read by id' },
  ];
  if (create) {
    routes.push({
      method: 'post',
      path: all,
      prefix,
      operationId: `create${title}`,
      tag: called,
      summary: 'Create',
      body: { schema: create.schema },
      answer,
      ...(create.conflict === undefined ? {} : { conflict: create.conflict }),
    });
  }
  if (patch) {
    routes.push({
      ...one,
      method: 'patch',
      operationId: `change${title}`,
      summary: 'Change',
      body: { schema: patch.schema },
      ...(patch.conflict === undefined ? {} : { conflict: patch.conflict }),
    });
  }
  if (removed) {
    routes.push({
      ...one,
      method: 'delete',
      operationId: `delete${title}`,
      summary: 'Delete',
      answer: removed === 'nothing' ? null : answer,
    });
  }
  return routes;
};
