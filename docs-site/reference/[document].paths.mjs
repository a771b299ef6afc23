import { eventsPage } from './events-page.mjs';
import { openApiPage } from './openapi-page.mjs';

const DOCUMENTS = {
  api: 'REST API for platforms',
  admin: 'REST API of the console',
  sandbox: 'The provider’s payment API in the sandbox',
  'sandbox-onboarding': 'The provider’s onboarding API in the sandbox',
};

export default {
  paths: () => [
    ...Object.entries(DOCUMENTS).map(([document, title]) => ({
      params: { document },
      content: openApiPage(document, title),
    })),
    { params: { document: 'events' }, content: eventsPage() },
  ],
};
