const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The texts of the timeline and of time travel. */
export const story = {
  view: 'View of the timeline',
  story: 'Story',
  raw: 'All entries',
  leads: {
    story: 'What happened and what led to it.',
    raw: 'Every recorded entry with its fields.',
  },
  by: (name: string) => `, by ${name}`,
  requestedBy: (name: string) => `, requested by ${name}`,
  policy: 'the capture policy',
  /** A platform whose id is not recorded. */
  anyPlatform: 'the platform',
  /** A platform within a sentence. */
  platform: (id: string) => `the platform ${id}`,
  reference: (text: string) => ` (reference ${text})`,
  /** The causes of an event in one line. */
  requests: (count: number) => `${counted(count, 'request')} to the provider`,
  failed: (count: number) => `${count} failed`,
  webhooks: (count: number) => counted(count, 'webhook'),
  earlier: (count: number) => `${counted(count, 'earlier read')} from the provider`,
  asOf: (time: string, version: number, all: number) =>
    `As of ${time} — event ${version} of ${all}`,
  backToNow: 'Back to the present',
};
