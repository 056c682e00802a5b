import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../src/http/pages/html.ts';
import { unescapeHtml } from '../setup/browser.ts';

test('a value never ends the text or the attribute that it stands in, and says the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'amp;', 'a', '/') }), (value) => {
      const { html: text } = html`${value}`;
      expect(text).not.toMatch(/[<>"']/);
      expect(unescapeHtml(text)).toBe(value);
    }),
  );
});

test('HTML stays as it is, lists are joined, and nothing prints nothing', () => {
  const items = ['<', 2].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${null}${undefined}${false}</ul>`.html).toBe('<ul><li>&lt;</li><li>2</li></ul>');
});
