import { edit, type TaskScript } from '../script.ts';
import { documents, leavesAlone } from './follow.ts';

const code = '@CODE/ledger/export.py';

export const ledgerScripts: Readonly<Record<string, TaskScript>> = {
  'ledger/renamed-function': documents(
    [
      ['docs/accounts.rst', '``write_csv``', '``export_csv``', code],
      ['docs/export.rst', 'write_csv(book, path)', 'export_csv(book, path, separator=",")', code],
      ['docs/export.rst', 'import write_csv', 'import export_csv', code],
      ['docs/export.rst', 'write_csv(book, "', 'export_csv(book, "', code],
    ],
    { extra: edit('docs/index.rst', 'in Python', 'in Python, with CSV') },
  ),
  'ledger/comments-only': leavesAlone(
    'only a comment was added.',
    edit('docs/export.rst', 'The columns are', 'The header row is what spreadsheets expect. The columns are'),
  ),
};
