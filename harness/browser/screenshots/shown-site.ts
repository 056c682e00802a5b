import { chosen, type Script } from '../../../local/model/script.ts';
import { edit, finish, perRun, write } from '../../script-steps.ts';
import { guideInstructions, rewriteGuides } from './shown-guides.ts';

/** The documentation that the pages are about. */
export const shownFiles = {
  'index.md': '# Acme API\n\nStart with the [limits](limits.md) and the [errors](errors.md).\n',
  'limits.md':
    '# Limits\n\nEach key may send 60 requests a minute.\n\nAbove that, wait a minute.\n\n## Uploads\n\nA file has at most 20 MB.\n',
  'errors.md':
    '# Errors\n\nEach error has a `status` and a `message`.\n\n| Status | Meaning |\n| ------ | ------- |\n| 401 | The key is wrong. |\n| 404 | There is no such page. |\n',
  '.github/pagewright.yml':
    'draft: false\nlabels: [documentation]\ninstructions: |\n  Write in the second person.\n  Keep sentences short.\nautomations:\n  weekly-links:\n    on: {schedule: "0 6 * * 1"}\n    prompt: Check that every link leads somewhere.\n  questions:\n    on: {label: needs-docs}\n    prompt: Document what this issue asks for.\n',
};

const limits = shownFiles['limits.md']
  .replace('60 requests', '100 requests')
  .replace('wait a minute', 'the API answers [429](errors.md#limit)');
const errors = `${shownFiles['errors.md']}| 429 | Too many requests: wait for the seconds in \`Retry-After\`. |\n`;

const raiseLimit: Script = ({ turn }) =>
  [
    {
      text: 'I look for every place that names the limit.',
      calls: [
        { name: 'search', arguments: { pattern: 'requests a minute' } },
        { name: 'read_file', arguments: { path: 'limits.md' } },
      ],
    },
    {
      text: 'Two pages change: the limit, and the error that follows from it.',
      calls: [
        { name: 'write_file', arguments: { path: 'limits.md', content: limits } },
        { name: 'write_file', arguments: { path: 'errors.md', content: errors } },
      ],
    },
    finish('The limit is 100 requests a minute now.', { title: 'Document the limit of 100 requests a minute' }),
    {
      text: 'The check found a link to a heading that does not exist. It leads to the page now.',
      ...edit('limits.md', 'errors.md#limit', 'errors.md'),
    },
    finish(
      'The limit is **100 requests a minute** now.\n\n- `limits.md` says so, and links to the errors page.\n- `errors.md` has a row for status `429`.',
      { title: 'Document the limit of 100 requests a minute' },
    ),
  ][turn] ?? { text: 'Done.' };

const addExample: Script = ({ turn }) =>
  [
    write(
      'errors.md',
      `${errors}\n## Retry\n\n\`\`\`js\nif (response.status === 429) {\n  await pause(response.headers.get('retry-after'));\n}\n\`\`\`\n`,
    ),
    finish('`errors.md` shows how a program waits: it reads `Retry-After`, and sends the request again.'),
  ][turn] ?? { text: 'Done.' };

/** Works until the pages are drawn. */
const translate: Script = ({ turn }) =>
  [
    {
      text: 'The quick start is on the first page. I translate it into a page of its own.',
      calls: [{ name: 'read_file', arguments: { path: 'index.md' } }],
    },
    write('fr/index.md', '# API Acme\n\nCommencez par les [limites](../limits.md).\n'),
  ][turn] ?? { fault: { kind: 'hang' } };

const one =
  (title: string, path: string, content: string, summary: string): Script =>
  ({ turn }) =>
    [write(path, content), finish(summary, { title })][turn] ?? { text: 'Done.' };

export const instructions = {
  raiseLimit:
    'The rate limit is 100 requests a minute since version 4. Correct the limits page, and document status 429.',
  addExample: 'Please add an example of a client that waits.',
  translate: 'Translate the quick start into French.',
  nothing: 'Correct what the pages say about OAuth.',
  refused: 'Publish the internal price list on the limits page.',
  glossary: 'Add a glossary with the terms key, limit and status.',
  uploads: 'Uploads may have 50 MB now.',
};

/** The steps of the model, by instruction. */
export const shownScript: Script = chosen([
  { when: guideInstructions.rewrite, script: rewriteGuides },
  { when: instructions.raiseLimit, script: perRun([raiseLimit, addExample]) },
  { when: instructions.translate, script: translate },
  { when: instructions.nothing, script: () => ({ text: 'No page mentions OAuth, so there is nothing to correct.' }) },
  { when: instructions.refused, script: () => ({ fault: { kind: 'refusal' } }) },
  {
    when: instructions.glossary,
    script: one(
      'Add a glossary',
      'glossary.md',
      '# Glossary\n\n**Key**: a secret of a program.\n',
      'There is a glossary.',
    ),
  },
  {
    when: instructions.uploads,
    script: one(
      'Raise the size of uploads to 50 MB',
      'limits.md',
      shownFiles['limits.md'].replace('20 MB', '50 MB'),
      'Uploads may have 50 MB.',
    ),
  },
]);
