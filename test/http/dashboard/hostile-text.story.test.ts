import { afterAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { finish } from '../../../harness/script-steps.ts';
import { createVisitor } from '../../../harness/visitor.ts';
import { steps } from '../../../local/model/script.ts';
import { findPageDamage } from '../../../trials/hostile/judges/find-page-damage.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

const served = await openServedWorld();
const rita = createVisitor({ url: served.service.url, github: served.world.github });
await rita.signIn('rita');
afterAll(() => served[Symbol.asyncDispose]());

const html = `</textarea></title></code></pre></details><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>`;
const attribute = `" onmouseover="alert(4)" x='`;
const markdown = `${html}\n\n[one](javascript:alert(5)) [two](data:text/html,<script>alert(6)</script>) ![three](https://evil.example/x.png)\n\n<iframe src="https://evil.example"></iframe>\n\n\`\`\`"><script>alert(7)</script>\n${html}\n\`\`\``;
/** In a code block: the tools refuse code that would run for readers. */
const content = `\`\`\`\n${html}\n${attribute}\n\`\`\`\n`;
const fileName = `a"onclick=alert(8) b='<img src=x>.md`;

test('hostile instructions, titles, file names, changes and words of the model are only text', async () => {
  served.choices.push({
    when: 'only text',
    script: steps([
      {
        text: markdown,
        calls: [
          { name: 'write_file', arguments: { path: fileName, content } },
          { name: 'write_file', arguments: { path: 'plain.md', content } },
          { name: `read_${attribute}`, arguments: { path: html } },
        ],
      },
      finish(markdown, { title: `${html}${attribute}` }),
      finish(markdown, { title: `${html}${attribute}` }),
    ]),
  });
  const list = `/projects/${served.world.projectId}`;
  const prompt = `This is only text ${html}${attribute}`;
  const job = (await rita.post(`${list}/jobs/new`, { prompt })).location;
  const shown = await eventually(async () => {
    const { text } = await rita.get(job);
    return />(?:Ready for review|No change needed|Failed)</.test(text) ? text : undefined;
  });
  // The page holds all of it.
  for (const words of ['alert(1)', 'alert(4)', 'alert(5)', 'Lines of plain.md', 'Lines of a&quot;onclick'])
    expect(shown).toContain(words);
  const [, run = ''] = /id="(run_\w+)"/.exec(shown) ?? [];
  const wrong = { prompt: ' ', ref: `${html}${attribute}`, model: attribute };
  const pages = {
    job: shown,
    checks: (await rita.get(`${job}?tab=checks`)).text,
    preview: (await rita.get(`${job}?tab=preview&page=plain.md`)).text,
    whole: (await rita.get(`${job}?tab=changes&whole=plain.md`)).text,
    activity: (await rita.get(`${job}?tab=activity`)).text,
    turns: (await rita.get(`${job}/runs/${run}`)).text,
    jobs: (await rita.get(list)).text,
    form: (await rita.post(`${list}/jobs/new`, wrong)).text,
    followUp: (await rita.post(`${job}/messages`, { prompt: `${html}${attribute}`.repeat(400) })).text,
    filter: (await rita.get(`${list}?status=${encodeURIComponent(html + attribute)}`)).text,
    usage: (await rita.get(`${list}/usage?by=${encodeURIComponent(html + attribute)}`)).text,
  };
  for (const [name, text] of Object.entries(pages)) expect({ [name]: findPageDamage(text) }).toEqual({ [name]: [] });
});

test.each([
  ['an element', '<p><img src=x></p>'],
  ['a handler', '<p onclick="a()"></p>'],
  ['a link that runs', '<a href="javascript:a()">a</a>'],
  ['a script', '<script>a()</script>'],
  ['a drawing', '<svg><path d=""/></svg>'],
  ['an address of another host', '<a href="//evil.example">a</a>'],
])('the judge sees %s', (_what, text) => expect(findPageDamage(text)).toHaveLength(1));
