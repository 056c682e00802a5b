import { expect, test } from 'vitest';
import { renderGrants } from '../../../src/http/dashboard/settings/settings-page.ts';

const granted = { name: 'contents', reason: '', given: 'write', needed: 'write', isEnough: true };
const missing = { name: 'statuses', reason: '', given: 'none', needed: 'read', isEnough: false };
const tooLow = { name: 'checks', reason: '', given: 'read', needed: 'write', isEnough: false };

test('the settings page says what waits for a permission, and which access it needs', () => {
  const { html } = renderGrants([granted, missing, tooLow]);
  expect(html).toContain('these do not work yet: failing statuses and their previews; failing checks and &quot;');
  expect(html).toContain(', needs read<');
  expect(html).toContain(', needs read and write<');
  expect(renderGrants([granted]).html).not.toContain('notice');
});
