import { replaced } from './places.js';

test('a port that begins with the digits of another port is replaced as a whole or not at all', () => {
  const pairs = [
    ['127.0.0.1:4103', '127.0.0.1:30004'],
    ['127.0.0.1:3000', '127.0.0.1:29689'],
  ] as const;
  expect(replaced('127.0.0.1:4103/a 127.0.0.1:3000/b 127.0.0.1:30001', pairs)).toBe(
    '127.0.0.1:30004/a 127.0.0.1:29689/b 127.0.0.1:30001',
  );
});
