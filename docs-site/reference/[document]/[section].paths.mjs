import { sectionsOf, TITLES } from '../documents.mjs';
import { eventStreams, eventStreamPage } from '../events-page.mjs';
import { sectionPage } from '../openapi-page.mjs';

export default {
  paths: () => [
    ...Object.keys(TITLES).flatMap((document) =>
      sectionsOf(document).map(({ slug }) => ({
        params: { document, section: slug },
        content: sectionPage(document, slug),
      })),
    ),
    ...eventStreams().map((stream) => ({
      params: { document: 'events', section: stream.slug },
      content: eventStreamPage(stream),
    })),
  ],
};
