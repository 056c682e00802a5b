import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createSettingsJsonSchema } from '../../src/repository/settings-json-schema.ts';

const accepts = new Ajv({ strict: true }).compile(createSettingsJsonSchema());

test('the schema of the docs is the one of the code; npx vitest run -u writes it again', async () => {
  const text = `${JSON.stringify(createSettingsJsonSchema(), undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../docs/pagewright.schema.json');
});

test.each([
  ['nothing', ''],
  ['short forms', 'context: [acme/api]\ndocumentation: acme/docs'],
  [
    'long forms',
    'context: [{repository: acme/api, ref: main}]\ndocumentation: [{repository: acme/docs, public: true}]',
  ],
  ['an automation', "automations: {tidy: {on: {schedule: '0 6 * * 1'}, prompt: Tidy up.}}"],
  ['lists and texts', 'paths: [docs/**]\nlabels: [docs]\ninstructions: |\n  Be brief.'],
])('it accepts %s', (_name, text) => {
  accepts(parse(text) ?? {});
  expect(accepts.errors ?? []).toEqual([]);
});

test.each([
  ['a misspelt name', 'label: [docs]'],
  ['another type', 'draft: perhaps'],
  ['an automation without a prompt', 'automations: {tidy: {on: {label: docs}}}'],
])('it refuses %s', (_name, text) => {
  expect(accepts(parse(text))).toBe(false);
});
