import { expect, test } from 'vitest';
import { appManifest } from '../../../src/config/app-manifest.ts';
import { permissionsSchema } from '../../../src/github/auth/permissions.ts';
import { describeWaiting } from '../../../src/runs/prepare/open-checkout.ts';

const all = permissionsSchema.parse(appManifest.default_permissions);
const { checks: _, actions: __, ...without } = all;
const installation = { installationId: 1, account: 'acme', suspendedAt: null };

test.each([
  ['nothing waits where all is granted', all, undefined],
  ['more than is asked for is enough', { ...all, statuses: 'write' as const, members: 'read' as const }, undefined],
  [
    'each permission that waits is named, with what waits for it',
    without,
    'acme does not grant these permissions yet, and what needs them waits: `checks: write` (failing checks and "Pagewright docs"), `actions: read` (logs of failing checks). An owner accepts them in the settings of the installation on GitHub.',
  ],
  [
    'a lower level is not enough',
    { ...all, checks: 'read' as const },
    expect.stringContaining('`checks: write` (failing checks and "Pagewright docs").'),
  ],
])('%s', (_name, permissions, expected) => {
  expect(describeWaiting({ ...installation, permissions })).toEqual(expected);
});
