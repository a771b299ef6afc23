import { readFileSync, writeFileSync } from 'node:fs';
import { type AdminFixture, startAdminFixture } from '../admin.fixture.js';
import { undescribedProperties } from '#testing';
import { openApiDocument } from './openapi.js';

let admin: AdminFixture;

beforeAll(async () => {
  admin = await startAdminFixture();
});

afterAll(() => admin.stop());

test('the committed OpenAPI document is current', () => {
  const file = new URL('../../../docs/generated/openapi.admin.json', import.meta.url);
  const text = `${JSON.stringify(openApiDocument(admin.http.app), null, 2)}\n`;
  if (process.env['UPDATE_GENERATED'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('every operation has a unique name', () => {
  const document = openApiDocument(admin.http.app);
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations as Record<string, { operationId: string }>).map(
      ({ operationId }) => operationId,
    ),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-z][A-Za-z]+$/.test(id))).toBe(true);
});

test('every property of the OpenAPI document has a description', () => {
  expect(undescribedProperties(openApiDocument(admin.http.app))).toEqual([]);
});
