import type { Task } from '../task.ts';
import { createFollowing } from './create-following.ts';

const { documents, leavesAlone } = createFollowing({ site: 'ledger', code: 'ledger-code' });

export const ledgerTasks: readonly Task[] = [
  documents(
    'renamed-function',
    [
      {
        title: 'Call it export_csv, and let callers choose the separator',
        edits: {
          'ledger/export.py': {
            'def write_csv(book, path):': 'def export_csv(book, path, separator=","):',
            'csv.writer(file)': 'csv.writer(file, delimiter=separator)',
          },
          'ledger/__init__.py': {
            'from .export import write_csv': 'from .export import export_csv',
            '["write_csv"]': '["export_csv"]',
          },
          'tests/test_export.py': {
            'from ledger import write_csv': 'from ledger import export_csv',
            '    write_csv(book': '    export_csv(book',
          },
        },
      },
    ],
    {
      'docs/export.rst': {
        has: [
          /^\.\. function:: export_csv\(book, path, separator=(["'])?,\1\)$/m,
          /^ {3}from ledger import export_csv$/m,
          /^ {3}export_csv\(book, "2026\.csv"\)$/m,
        ],
        lacks: [/write_csv/],
        from: 'ledger/export.py',
      },
      'docs/accounts.rst': { has: [/``export_csv``/], lacks: [/write_csv/], from: 'ledger/export.py' },
    },
  ),
  leavesAlone('comments-only', [
    {
      title: 'Explain the header row',
      edits: { 'ledger/export.py': { 'import csv\n': '# The header row is what spreadsheets expect.\nimport csv\n' } },
    },
  ]),
];
