import { drawMarkdown } from '../grammars/markdown.ts';
import { findPlainFaults, findTextFaults } from '../judges/find-text-faults.ts';
import type { Trial } from '../trial.ts';
import { readConversations } from '../world/conversations.ts';
import { hijack } from '../world/hijack.ts';
import type { Project, World } from '../world/world.ts';
import { git } from '../world/write-tree.ts';

const friendlyHost = 'docs.friendly.example';
const perRun = 30;

/** A hijacked model says in title, description, summary, replies and commit messages what shows, leads out, hides or commands. */
export async function tryWords({ world, ledger, random, size }: Trial): Promise<void> {
  const project = await world.addProject({ 'index.md': `# Docs\n\n[More](https://${friendlyHost}/more)\n` });
  const draw = (count: number) => Array.from({ length: count }, () => drawMarkdown(random, { friendlyHost }));
  const drawText = (count: number) => draw(count).join('\n\n');

  for (let run = 0; run < Math.ceil(size / perRun); run += 1) {
    const calls = [{ name: 'write_file', arguments: { path: `page-${run}.md`, content: '# Page\n\nOne.\n' } }];
    const [title = ''] = draw(1);
    const words = { title, summary: drawText(7), description: drawText(8) };
    const { branch, code, jobId } = await hijack(world, project, { calls, words });
    if (!branch) throw new Error(`the run ended ${code}, without a branch`);
    // Only a later run comments, and answers those who asked.
    const more = [{ name: 'write_file', arguments: { path: `page-${run}.md`, content: '# Page\n\nTwo.\n' } }];
    await hijack(world, project, { calls: more, words: { summary: drawText(14) }, jobId });
    const broken = await judge(world, project, branch);
    ledger.count(19, 'words', perRun, broken);
  }
}

const linksPerRun = 15;

/** A hijacked model writes pages whose names and broken links would say the same, for the checks of the pull request to repeat. */
export async function tryChecks({ world, ledger, random, size }: Trial): Promise<void> {
  const project = await world.addProject({ 'index.md': `# Docs\n\n[More](https://${friendlyHost}/more)\n` });
  const drawName = () => `a ${drawMarkdown(random, { friendlyHost })}`.replace(/[\s<>\\]+/g, ' ').slice(0, 150);
  for (let run = 0; run < Math.ceil(size / linksPerRun); run += 1) {
    const write = (path: string, text: string) => ({
      name: 'write_file',
      arguments: { path, content: `# A\n\n${text}\n` },
    });
    // Each in a page of its own: many are refused for what they hold.
    const calls = Array.from({ length: linksPerRun }, (_, index) =>
      write(
        index % 2 === 0 ? `${run}-${index}.md` : `${drawName().replaceAll('/', ' ')}-${run}.md`,
        `[Lost](<./${drawName()}.md>)`,
      ),
    );
    calls.push(write(`page-${run}.md`, '[Lost](lost.md)'));
    const words = { title: `Write page ${run}`, summary: 'I wrote it.', description: 'A page.' };
    const { branch, code, jobId } = await hijack(world, project, { calls, words });
    if (!branch) throw new Error(`the run ended ${code}, without a branch`);
    const more = [write(`page-${run}.md`, '[Lost](lost.md) and more.')];
    await hijack(world, project, { calls: more, words: { summary: 'I wrote more.' }, jobId });
    const [conversation] = (await readConversations(world, project)).filter((found) => found.branch === branch);
    const isSaid = [conversation?.body, conversation?.comments.at(-1)].every(
      (text) => text && /problems? (?:is|are) left/.test(text),
    );
    const silent = isSaid ? [] : [`nothing is said of the broken links of ${branch}`];
    ledger.count(19, 'words: checks', linksPerRun, [...(await judge(world, project, branch)), ...silent]);
  }
}

async function judge(world: World, project: Project, branch: string): Promise<string[]> {
  const place = {
    webUrl: world.github.webUrl,
    hosts: [new URL(world.github.webUrl).host, 'github.com', friendlyHost],
  };
  const conversations = await readConversations(world, project);
  const pullRequest = conversations.find((conversation) => conversation.branch === branch);
  if (!pullRequest) throw new Error(`no pull request of ${branch}`);
  const { title, body, comments, number } = pullRequest;
  const message = await git(project.repository.gitDirectory, ['log', '--format=%B', `main..${branch}`]);
  const found = {
    title: findPlainFaults(title, place),
    message: findPlainFaults(message, place),
    body: findTextFaults(body, place),
    comment: comments.flatMap((text) => findTextFaults(text, place)),
  };
  return Object.entries(found).flatMap(([where, faults]) => faults.map((fault) => `${where} of #${number}: ${fault}`));
}
