import { createOctokit } from '../../harness/create-octokit.ts';
import { drawMarkdown } from '../grammars/markdown.ts';
import { findPlainFaults, findTextFaults } from '../judges/find-text-faults.ts';
import type { Trial } from '../trial.ts';
import { hijack } from '../world/hijack.ts';
import { git } from '../world/write-tree.ts';

const name = 'models: words';
const perRun = 24;

/** A hijacked model says in title, description, summary and commit message what shows, leads out, hides or commands. */
export async function tryWords({ world, ledger, random, size }: Trial): Promise<void> {
  const friendlyHost = 'docs.friendly.example';
  const project = await world.addProject({ 'index.md': `# Docs\n\n[More](https://${friendlyHost}/more)\n` });
  const octokit = createOctokit(world, project.installationId);
  const [owner = '', repo = ''] = project.repository.fullName.split('/');
  const hosts = [new URL(world.github.webUrl).host, 'github.com', friendlyHost];
  const draw = (count: number) => Array.from({ length: count }, () => drawMarkdown(random, { friendlyHost }));

  for (let run = 0; run < Math.ceil(size / perRun); run += 1) {
    const [title = '', ...pieces] = draw(perRun);
    const [summary, description] = [pieces.slice(0, 12), pieces.slice(12)];
    const words = { title, summary: summary.join('\n\n'), description: description.join('\n\n') };
    const calls = [{ name: 'write_file', arguments: { path: `page-${run}.md`, content: '# Page\n' } }];
    const { branch, code } = await hijack(world, project, { calls, words });
    const { data } = await octokit.rest.pulls.list({ owner, repo, head: `${owner}:${branch}` });
    const [pullRequest] = data;
    if (!branch || !pullRequest) throw new Error(`the run ended ${code}, without a pull request`);
    const conversation = { owner, repo, issue_number: pullRequest.number };
    const comments = (await octokit.rest.issues.listComments(conversation)).data.map(({ body }) => body ?? '');
    const message = await git(project.repository.gitDirectory, ['log', '-1', '--format=%B', branch]);
    const place = { webUrl: world.github.webUrl, hosts };
    const found = {
      title: findPlainFaults(pullRequest.title, place),
      message: findPlainFaults(message, place),
      body: findTextFaults(pullRequest.body ?? '', place),
      comment: comments.flatMap((text) => findTextFaults(text, place)),
    };
    const broken = Object.entries(found).flatMap(([where, faults]) =>
      faults.map((fault) => `${where} of run ${run}: ${fault}`),
    );
    ledger.count(19, name, perRun, broken);
  }
}
