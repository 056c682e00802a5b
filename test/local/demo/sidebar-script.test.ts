import { expect, test } from 'vitest';
import { z } from 'zod';
import { findObjections, steps } from '../../../local/demo/sidebar-script.ts';
import { readSite } from '../../../local/docs/read-site.ts';
import type { ScriptStep } from '../../../local/model/script.ts';
import { type Files, listProblems } from '../../docs/support/check-files.ts';

const site = Object.fromEntries(
  Object.entries(await readSite('vitepress-site')).map(([path, content]) => [path, content.toString()]),
);
const write = z.object({ path: z.string(), content: z.string() });
const edit = z.object({ path: z.string(), old_text: z.string(), new_text: z.string() });

/** The files after the edits of these steps. */
function apply(files: Files, done: readonly ScriptStep[]): Files {
  const edited = { ...files };
  for (const { name, arguments: args } of done.flatMap(({ calls = [] }) => calls)) {
    if (name === 'write_file') {
      const { path, content } = write.parse(args);
      edited[path] = content;
    }
    if (name === 'edit_file') {
      const { path, old_text: oldText, new_text: newText } = edit.parse(args);
      expect(edited[path]?.split(oldText)).toHaveLength(2);
      edited[path] = edited[path]?.replace(oldText, newText) ?? '';
    }
  }
  return edited;
}

test('the site of the command line is whole', () => {
  expect(listProblems({}, site).filter((problem) => problem.startsWith('must '))).toEqual([]);
});

test('the script breaks one link and nothing else, and its last step fixes it', () => {
  expect(listProblems(site, apply(site, steps.slice(0, -1)))).toEqual([
    expect.stringMatching(/^must link guide\/ci\.md:9 .*exitcodes/),
  ]);
  expect(listProblems(site, apply(site, steps))).toEqual([]);
});

test('an objection is what finish answered', () => {
  const lastResults = [
    { name: 'edit_file', output: 'edited' },
    { name: 'finish', output: 'not finished yet' },
  ];
  const request = { model: '', instructions: '', turn: 3, attempt: 1, messages: [], lastResults, tools: [] };
  expect(findObjections(request)).toEqual(['not finished yet']);
});
