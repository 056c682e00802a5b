import { redirects } from '../checks/docs.ts';
import { becomes, changesOnly, has, inOrder, lacks, onlyAdds, removes, replacesIn } from '../checks/files.ts';
import type { TaskText } from './task.ts';

const meta = 'content/guides/_meta.ts';
const linking = [
  'content/index.mdx',
  'content/guides/quickstart.mdx',
  'content/guides/payments.mdx',
  'content/guides/taxes.mdx',
  'content/api/invoices.mdx',
  'content/api/errors.mdx',
];

export const nextraTasks: readonly TaskText[] = [
  {
    name: 'nextra/add-page',
    asks: 'Add a guide content/guides/reminders.mdx, "Reminders", between Payments and Taxes in the navigation: Ledger reminds customers of open invoices (link to the states) 7 days after the due date, at most 3 times; `reminders: false` on a customer switches them off.',
    changes: [
      changesOnly('content/guides/reminders.mdx', meta),
      has(
        'content/guides/reminders.mdx',
        /^title: ['"]?Reminders['"]?$/m,
        /^# Reminders$/m,
        /\b7 days\b/,
        /\b(?:3|three) (?:times|reminders)\b/,
        /`reminders: false`/,
        /\]\(\/guides\/invoices#states\)/,
      ),
      inOrder(meta, "payments: 'Payments'", "reminders: 'Reminders'", "taxes: 'Taxes'"),
      onlyAdds(meta),
    ],
  },
  {
    name: 'nextra/redirect-chain',
    asks: 'Rename the guide content/guides/invoices.mdx to content/guides/billing.mdx, with the title and heading "Billing", also in the navigation. Who has the old address in a bookmark must get to the new one directly, and so must those who still use the even older /guides/bills.',
    changes: [
      changesOnly('content/guides/invoices.mdx', 'content/guides/billing.mdx', meta, 'next.config.mjs', ...linking),
      removes('content/guides/invoices.mdx'),
      becomes('content/guides/billing.mdx', (before) =>
        (before.get('content/guides/invoices.mdx') ?? '')
          .replace('title: Invoices', 'title: Billing')
          .replace('# Invoices', '# Billing'),
      ),
      ...linking.slice(1).map((path) => replacesIn(path, '/guides/invoices', '/guides/billing')),
      has('content/index.mdx', /<Cards\.Card title="(?:Invoices|Billing)" href="\/guides\/billing" \/>/),
      inOrder(meta, "quickstart: 'Quickstart'", "billing: 'Billing'", "payments: 'Payments'"),
      lacks(meta, /invoices/),
      redirects('/guides/bills', '/guides/billing'),
      redirects('/guides/invoices', '/guides/billing'),
      redirects('/start', '/guides/quickstart'),
    ],
  },
];
