import { Pool } from 'pg';
import { CASE_TOTALS } from '#operations';
import { Flow } from '../../test/support/flow.js';
import { leaveAuthorization, whileCapturesFail } from './open-captures.js';
import { leaveLapsing, leaveOpenCases } from './open-cases.js';
import { leaveSilentMerchant } from './open-merchants.js';

describe('the open cases that the demo leaves', () => {
  let flow: Flow;
  let pool: Pool;

  beforeAll(async () => {
    flow = await Flow.start();
    const { apis, apiKey, merchantId, databases, sandbox, env } = flow.stack;
    pool = new Pool({ connectionString: databases.orchestrator, max: 1 });
    const apiUrl = apis[0]?.url ?? '';
    const [say, same] = [() => undefined, (text: string) => text];
    const parts = {
      apiUrl,
      apiKey,
      merchantId,
      sandboxUrl: sandbox.url,
      sandboxKey: env['SANDBOX_TEST_KEY'] ?? '',
      partnerKey: env['PARTNER_TEST_KEY'] ?? '',
      databaseUrl: databases.orchestrator,
      fulfilmentUrl: '',
      say,
      paint: { dim: same, green: same },
    };
    // The stories in between move the clock as far, at least.
    await leaveSilentMerchant(parts);
    await sandbox.advance('P1D');
    await leaveLapsing(parts);
    await sandbox.advance('P2D');
    await leaveOpenCases(parts);
    await sandbox.advance('PT21H');
    const orderId = await leaveAuthorization(parts, ['vase', 'A vase', 5_600]);
    await whileCapturesFail(parts, orderId, () => sandbox.advance('PT3H'));
  });
  afterAll(async () => {
    await pool.end();
    await flow.stop();
  });

  test.each([
    'mismatch',
    'reconciliation_break',
    'failed_reaction',
    'failing_endpoint',
    'failed_request',
    'rejected_capture',
    'lapsing_authorization',
    'unknown_result',
    'silent_merchant',
  ])('include a case of the kind %s', async (kind) => {
    const { rows } = await pool.query<{ kind: string }>(CASE_TOTALS);
    expect(rows.map((row) => row.kind)).toContain(kind);
  });

  test('include a request of the platform that awaits the approval of an operator', async () => {
    const { rows } = await pool.query(
      `SELECT kind, status FROM admin_actions WHERE requested_by LIKE 'platform:%'`,
    );
    expect(rows).toEqual([{ kind: 'close_exception', status: 'pending' }]);
  });
});
