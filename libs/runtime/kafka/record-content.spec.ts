import fc from 'fast-check';
import encodeRecord from 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
import { recordContent } from './record-content.js';

const text = fc.string({ unit: 'binary', maxLength: 300 });
const headers = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 40 }), text, {
  maxKeys: 20,
  noNullPrototype: true,
});
const place = { offsetDelta: 7, timestampDelta: 1_234_567 };

test('a record whose value and headers we encode has the same bytes as the record that kafkajs encodes', () => {
  fc.assert(
    fc.property(text, text, headers, (key, value, named) => {
      const ours = encodeRecord({ ...place, key, value: recordContent(value, named) });
      const theirs = encodeRecord({ ...place, key, value, headers: named });
      expect(ours.buffer.equals(theirs.buffer)).toBe(true);
    }),
  );
});

test('a large value that we encode has the same bytes as the value that kafkajs encodes', () => {
  const [key, value] = ['ord_1', 'é€'.repeat(400_000)];
  const ours = encodeRecord({ ...place, key, value: recordContent(value, { a: value }) });
  const theirs = encodeRecord({ ...place, key, value, headers: { a: value } });
  expect(ours.buffer.equals(theirs.buffer)).toBe(true);
});

test('the value of a message that we have not encoded is encoded by kafkajs', () => {
  const value = Buffer.from('as it is');
  const ours = encodeRecord({ ...place, key: 'k', value, headers: { a: 'b' } });
  const theirs = encodeRecord({ ...place, key: 'k', value: 'as it is', headers: { a: 'b' } });
  expect(ours.buffer.equals(theirs.buffer)).toBe(true);
});
