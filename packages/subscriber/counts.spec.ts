import { exposition, noCounts } from './counts.js';

test('the metrics contain every counter from the start, as 0, so that the first increase is visible', () => {
  const text = exposition('shipping', noCounts(), { lag: 3, blockedStreams: 1 });
  for (const outcome of Object.keys(noCounts())) {
    expect(text).toContain(
      `subscriber_messages_total{subscriber="shipping",outcome="${outcome}"} 0\n`,
    );
  }
  expect(text).toContain('# TYPE subscriber_lag_messages gauge\n');
  expect(text).toContain('subscriber_lag_messages{subscriber="shipping"} 3\n');
});

test('the metrics omit a gauge that cannot be read', () => {
  const text = exposition('shipping', noCounts(), { lag: null, blockedStreams: null });
  expect(text).not.toContain('lag');
  expect(text).not.toContain('blocked_streams');
});
