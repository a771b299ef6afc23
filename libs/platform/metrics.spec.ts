import { Metrics } from './metrics.js';

/** The lines of one metric, without the lines about its help text and type. */
const shown = async (metrics: Metrics, name: string): Promise<readonly string[]> =>
  (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name));

test('a gauge that cannot be read shows no value', async () => {
  const metrics = new Metrics();
  let isAway = true;
  const read = (): Promise<number> =>
    isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve(7);
  metrics.gauge('spec_age_seconds', 'An age', [], async (gauge) => gauge.set(await read()));
  metrics.gauge('spec_jobs', 'Jobs', ['state'], async (gauge) =>
    gauge.set({ state: 'open' }, await read()),
  );
  expect(await shown(metrics, 'spec_')).toEqual([]);
  isAway = false;
  const both = ['spec_age_seconds 7', 'spec_jobs{state="open"} 7'];
  expect(await shown(metrics, 'spec_')).toEqual(both);
  isAway = true;
  expect(await shown(metrics, 'spec_')).toEqual([]);
  isAway = false;
  expect(await shown(metrics, 'spec_')).toEqual(both);
});

test('a gauge removes the labels that were not set when its values were last collected', async () => {
  const metrics = new Metrics();
  let states = ['open', 'stuck'];
  metrics.gauge('spec_jobs', 'Jobs', ['state'], (gauge) => {
    for (const state of states) gauge.set({ state }, 1);
  });
  await shown(metrics, 'spec_');
  states = ['open'];
  expect(await shown(metrics, 'spec_')).toEqual(['spec_jobs{state="open"} 1']);
});
