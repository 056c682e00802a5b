import { opensPullRequest } from '../checks/answers.ts';
import { isSound } from '../checks/docs.ts';
import { changesOnly, has, inOrder, lacks, onlyAdds } from '../checks/files.ts';
import type { Check } from '../checks/outcome.ts';
import type { TaskText } from './task.ts';

const docs = 'src/content/docs';
const german = `${docs}/de/guides/first-route.md`;
const english = `${docs}/guides/first-route.md`;
const referencePages = ['route', 'marker', 'errors'].map((name) => `${docs}/reference/${name}.md`);

export const starlightTasks: readonly TaskText[] = [
  {
    name: 'starlight/translate',
    asks: 'Translate the guide "First route" into German.',
    changes: [
      changesOnly(german),
      keepsCode,
      has(
        german,
        /^title: .*Route/m,
        /^description: .+/m,
        /\/de\/reference\/errors\/#e201/,
        /\/de\/reference\/route\//,
        /^:::note/m,
        /\b25\b/,
        /^## .+\n[\s\S]*^## .+/m,
      ),
      has(german, /(?:\b(?:der|die|das|ein|eine|einen|ist|wenn|kann|und)\b[\s\S]*){5}/i),
      lacks(german, /\b(?:the|there is|choose the|both places|up to)\b/i, /\]\(\/(?!de\/)/),
    ],
  },
  {
    name: 'starlight/add-page',
    asks: 'Add an English guide "Traffic" (guides/traffic) after "First route" in the sidebar, where its German label is "Verkehr". It says: pass `traffic: true` to `compass.route()` to take traffic into account; `duration` then includes delays (link to the fields of a route); traffic is known in 40 countries.',
    changes: [
      changesOnly(`${docs}/guides/traffic.md`, `${docs}/guides/traffic.mdx`, 'astro.config.mjs'),
      ({ after }) => {
        const text = after.get(`${docs}/guides/traffic.md`) ?? after.get(`${docs}/guides/traffic.mdx`) ?? '';
        const wanted = [
          /^title: ['"]?Traffic['"]?$/m,
          /`traffic: true`/,
          /\b40 countries\b/,
          /\]\(\/reference\/route\/#fields\)/,
        ];
        return wanted.filter((pattern) => !pattern.test(text)).map((pattern) => `the page does not have ${pattern}`);
      },
      inOrder('astro.config.mjs', "'guides/first-route'", 'guides/traffic', 'guides/offline'),
      has('astro.config.mjs', /de: ['"]Verkehr['"]/),
      onlyAdds('astro.config.mjs'),
    ],
  },
  {
    name: 'starlight/front-matter',
    asks: 'The English pages of the reference have no description in their front matter. Give each a sentence of its own that says what the page is about. Change nothing else on them.',
    checks: [opensPullRequest, changesOnly(...referencePages), ...referencePages.map(describes), isSound],
  },
];

const listFences = (text = '') => (text.match(/^```[\s\S]*?^```/gm) ?? []).join('\n');

function keepsCode({ before, after }: Parameters<Check>[0]): string[] {
  return listFences(before.get(english)) === listFences(after.get(german)) ? [] : [`${german} changed the code`];
}

function describes(path: string): Check {
  return ({ before, after }) => {
    const [, front = '', body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(after.get(path) ?? '') ?? [];
    const [, oldFront = '', oldBody] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(before.get(path) ?? '') ?? [];
    const isDescribed = /^description: \S.{9,}$/m.test(front) && front.includes(oldFront);
    return [
      ...(isDescribed ? [] : [`${path} has no description, or lost a part of its front matter`]),
      ...(body === oldBody ? [] : [`${path} changed below its front matter`]),
    ];
  };
}
