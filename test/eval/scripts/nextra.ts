import { edit, editAll, instead, move, publish, type TaskScript, write } from './script.ts';

const meta = 'content/guides/_meta.ts';
const reminders = `---
title: Reminders
description: Remind customers of open invoices.
---

# Reminders

Ledger reminds customers of [open invoices](/guides/invoices#states) 7 days after the due date, at most 3 times.

Set \`reminders: false\` on a customer to switch them off.
`;
const addPage = [
  write('content/guides/reminders.mdx', reminders),
  edit(meta, "  payments: 'Payments',\n", "  payments: 'Payments',\n  reminders: 'Reminders',\n"),
  publish('Add a guide about reminders'),
];

const linking = [
  'content/index.mdx',
  'content/guides/quickstart.mdx',
  'content/guides/payments.mdx',
  'content/guides/taxes.mdx',
  'content/api/invoices.mdx',
  'content/api/errors.mdx',
];
const bills = "      { source: '/guides/bills', destination: '/guides/invoices', permanent: true },\n";
const rename = [
  move('content/guides/invoices.mdx', 'content/guides/billing.mdx'),
  edit('content/guides/billing.mdx', 'title: Invoices', 'title: Billing'),
  edit('content/guides/billing.mdx', '# Invoices', '# Billing'),
  ...linking.map((path) => editAll(path, '/guides/invoices', '/guides/billing')),
  edit(meta, "invoices: 'Invoices'", "billing: 'Billing'"),
  edit(
    'next.config.mjs',
    bills,
    `${bills.replace('/guides/invoices', '/guides/billing')}      { source: '/guides/invoices', destination: '/guides/billing', permanent: true },\n`,
  ),
  publish('Rename the guide about invoices'),
];

export const nextraScripts: Record<string, TaskScript> = {
  'nextra/add-page': { right: [addPage] },
  'nextra/redirect-chain': {
    right: [rename],
    wrong: [
      {
        reason: /\/guides\/bills is redirected to \/guides\/invoices/,
        runs: [
          instead(
            rename,
            -2,
            edit(
              'next.config.mjs',
              bills,
              `${bills}      { source: '/guides/invoices', destination: '/guides/billing', permanent: true },\n`,
            ),
          ),
        ],
      },
    ],
  },
};
