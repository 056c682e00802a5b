import type { ScriptRequest } from '../../../local/model/script.ts';

const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;

/** A small site of Mintlify: a page that nobody lists cannot be reached. */
export const docsSite = {
  'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'limits'] } }, null, 2)}\n`,
  'index.mdx': page('Acme', 'Read about [limits](/limits).'),
  'limits.mdx': page('Limits', '60 requests per minute.'),
};

export const writePage = page;

/** Collects what the calls of `finish` were answered, in order. */
export function collectObjections() {
  const objections: string[] = [];
  return {
    objections,
    /** A step that looks at the results before it plays the next one. */
    afterLooking:
      <Step>(step: Step) =>
      ({ lastResults }: ScriptRequest): Step => {
        objections.push(...lastResults.filter(({ name }) => name === 'finish').map(({ output }) => output));
        return step;
      },
  };
}
