import type { MetaRecord } from 'nextra';

const meta: MetaRecord = {
  authentication: 'Authentication',
  invoices: 'Invoices',
  errors: 'Errors',
};

export default meta;
