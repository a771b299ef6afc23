import { Pool } from 'pg';
import { CASE_TOTALS } from '#operations';
import { Flow } from '../../test/support/flow.js';
import { leaveOpenCases } from './open-cases.js';

describe('the open cases that the demo leaves', () => {
  let flow: Flow;
  let pool: Pool;

  beforeAll(async () => {
    flow = await Flow.start();
    const { apis, apiKey, merchantId, databases, sandbox, env } = flow.stack;
    pool = new Pool({ connectionString: databases.orchestrator, max: 1 });
    const apiUrl = apis[0]?.url ?? '';
    const [say, same] = [() => undefined, (text: string) => text];
    await leaveOpenCases({
      apiUrl,
      apiKey,
      merchantId,
      sandboxUrl: sandbox.url,
      sandboxKey: env['SANDBOX_TEST_KEY'] ?? '',
      databaseUrl: databases.orchestrator,
      fulfilmentUrl: '',
      say,
      paint: { dim: same, green: same },
    });
    // Advances the clock, so that the failing webhook is retried a few times. In the demo, the last
    // day takes long enough for these retries.
    for (let hour = 0; hour < 3; hour += 1) await sandbox.advance('PT1H');
  });
  afterAll(async () => {
    await pool.end();
    await flow.stop();
  });

  test.each(['mismatch', 'reconciliation_break', 'failed_reaction', 'failing_endpoint'])(
    'include a case of the kind %s',
    async (kind) => {
      const { rows } = await pool.query<{ kind: string }>(CASE_TOTALS);
      expect(rows.map((row) => row.kind)).toContain(kind);
    },
  );

  test('include a request of the platform that awaits the approval of an operator', async () => {
    const { rows } = await pool.query(
      `SELECT kind, status FROM admin_actions WHERE requested_by LIKE 'platform:%'`,
    );
    expect(rows).toEqual([{ kind: 'close_exception', status: 'pending' }]);
  });
});
