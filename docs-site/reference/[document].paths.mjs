import { TITLES } from './documents.mjs';
import { eventsOverview } from './events-page.mjs';
import { overviewPage } from './openapi-page.mjs';

export default {
  paths: () => [
    ...Object.entries(TITLES).map(([document, title]) => ({
      params: { document },
      content: overviewPage(document, title),
    })),
    { params: { document: 'events' }, content: eventsOverview() },
  ],
};
