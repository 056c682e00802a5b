import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../src/http/pages/html.ts';
import { unescapeHtml } from '../setup/browser.ts';

test('a value cannot end its text or attribute, and stays readable', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'amp;', 'a', '/') }), (value) => {
      const { html: text } = html`${value}`;
      expect(text).not.toMatch(/[<>"']/);
      expect(unescapeHtml(text)).toBe(value);
    }),
  );
});

test('HTML is not escaped, lists are joined, and empty values print nothing', () => {
  const items = ['<', 2].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${null}${undefined}${false}</ul>`.html).toBe('<ul><li>&lt;</li><li>2</li></ul>');
});
