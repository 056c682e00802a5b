import type { MetaRecord } from 'nextra';

const meta: MetaRecord = {
  index: 'Ledger',
  guides: 'Guides',
  api: 'API',
};

export default meta;
