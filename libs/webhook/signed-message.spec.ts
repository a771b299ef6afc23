import { Webhook } from 'standardwebhooks';
import { newSecret } from './endpoint-details.js';
import { signedHeaders } from './signed-message.js';

test('a message is signed as the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  expect(signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', body, [secret], 1_614_265_330_000)).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a message is accepted with each secret that it was signed with, and with no other', () => {
  const [one, two, other] = [newSecret(), newSecret(), newSecret()];
  const headers = { ...signedHeaders('evt', 'body', [one, two], Date.now()) };
  for (const secret of [one, two]) {
    expect(() => new Webhook(secret).verify('body', headers, { jsonParse: false })).not.toThrow();
  }
  expect(() => new Webhook(other).verify('body', headers, { jsonParse: false })).toThrow();
});
