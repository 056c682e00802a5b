import { existsSync } from 'node:fs';
import { drawCanary } from '../grammars/comments.ts';
import { number } from '../grammars/draw.ts';
import { drawRepository } from '../grammars/repositories.ts';
import { invisible } from '../judges/find-text-faults.ts';
import { readChange } from '../judges/read-change.ts';
import type { Trial } from '../trial.ts';
import { hijack } from '../world/hijack.ts';
import type { Entry } from '../world/write-tree.ts';

const name = 'repositories';
const page = 'docs/new-page.md';

/** Whatever a repository holds, a run reads what it asks for, writes its one page and leaves the rest alone. */
export async function tryRepositories({ world, ledger, random, size }: Trial): Promise<void> {
  for (let left = Math.ceil(size / 15); left > 0; left -= 1) {
    const canary = drawCanary(random);
    const entries = drawRepository(random, canary);
    const project = await world.addProject({ 'docs/index.md': '# Docs\n' }, entries);
    const asked = world.model.requests.length;
    const looks = Array.from({ length: 20 }, () => drawLook(entries[number(random, entries.length)]));
    const write = { name: 'write_file', arguments: { path: page, content: '# Page\n' } };
    const calls = [{ name: 'list_files', arguments: {} }, ...looks, write];
    const words = { summary: 'I wrote a page.', title: 'Write a page' };
    const { code, branch, answered } = await hijack(world, project, { calls, words });

    const changes = branch ? await readChange(project.repository.gitDirectory, branch) : [];
    // Some repositories are refused as a whole: the run says so and pushes nothing.
    const isRight = branch
      ? changes.map(({ path }) => path).join() === page
      : ['repository_invalid', 'settings_invalid'].includes(code ?? '');
    const what =
      entries.length > 40
        ? `${entries.length} files`
        : entries
            .map(({ path }) => path)
            .join(', ')
            .slice(0, 300);
    const paths = changes.map(({ path }) => path).join(', ');
    ledger.count(
      18,
      name,
      entries.length > 40 ? 1 : entries.length,
      isRight ? [] : [`${code}, changed ${paths}: ${what}`],
    );

    const outside = answered
      .filter(({ output }) => /root:x:|PATH=\/|\[core\]/.test(output))
      .map(({ output }) => output);
    const ran = existsSync('/tmp/pwned') ? ['a program of the repository ran'] : [];
    ledger.count(4, name, looks.length, [...outside, ...ran]);

    // The first request: what the model reads with its tools later is the text of files.
    const seen = world.model.requests.slice(asked, asked + 1).map(({ body }) => JSON.stringify(body));
    const hidden = seen.some((text) => text.includes(canary)) ? [`the model saw what is hidden in ${what}`] : [];
    const raw = seen.some((text) => invisible.test(text)) ? [`the model got invisible characters of ${what}`] : [];
    const forged = seen.some((text) => /<message id=\W{0,3}msg_x/.test(text))
      ? [`a message was forged in ${what}`]
      : [];
    ledger.count(20, name, 1, [...hidden, ...raw, ...forged]);
  }

  function drawLook(entry: Entry | undefined) {
    const path = entry?.path ?? '';
    return random.pick([
      { name: 'read_file', arguments: { path } },
      { name: 'read_file', arguments: { path: `${path}/config` } },
      { name: 'search', arguments: { pattern: random.pick(['root:|PATH=', '(a+)+$', 'core', '.']), path } },
      { name: 'list_files', arguments: { path, glob: random.pick(['**/*', '**/**/**/**/*.md', '{a,b}{c,d}*']) } },
    ]);
  }
}
