import type { MetaRecord } from 'nextra';

const meta: MetaRecord = {
  quickstart: 'Quickstart',
  invoices: 'Invoices',
  payments: 'Payments',
  taxes: 'Taxes',
};

export default meta;
