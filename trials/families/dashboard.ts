import { createVisitor, type Visited } from '../../harness/visitor.ts';
import { drawPageLine, drawPageText } from '../grammars/page-texts.ts';
import { findHeaderFault, findPageDamage } from '../judges/find-page-damage.ts';
import type { Trial } from '../trial.ts';
import type { Project, World } from '../world/world.ts';

const enter = async (world: World, login: string) => {
  const visitor = createVisitor({ url: world.url, github: world.github });
  await visitor.signIn(login);
  return visitor;
};

/** What people, callers, repositories and the model write is only text on every page of the dashboard. */
export async function tryPageTexts({ world, ledger, random, size }: Trial): Promise<void> {
  const settings = { labels: [drawPageLine(random, 50)], instructions: drawPageText(random) };
  const files = { 'index.md': '# Docs\n', '.github/pagewright.yml': JSON.stringify(settings) };
  const project = await world.addProject(files);
  world.github.setPermission(project.repository.fullName, 'rita', 'maintain');
  const rita = await enter(world, 'rita');
  const pages = `/projects/${project.projectId}`;
  const broken: string[] = [];
  let tries = 0;
  const judge = (place: string, { status, text, headers }: Visited) => {
    tries += 1;
    const faults = [...findPageDamage(text), findHeaderFault(headers), status >= 500 && `a ${status}`];
    broken.push(...faults.flatMap((fault) => (fault ? [`${place}: ${fault}`] : [])));
  };

  for (let left = Math.ceil(size / 25); left > 0; left -= 1) {
    const job = await playHostileRun({ world, random }, project);
    const address = `${pages}/jobs/${job.id}`;
    const shown = await rita.get(`${address}?diff=unified`);
    judge('a job', shown);
    judge('a job, side by side', await rita.get(`${address}?diff=split`));
    for (const [, run = ''] of shown.text.matchAll(/href="[^"]+\/runs\/(run_\w+)"/g))
      judge('turns', await rita.get(`${address}/runs/${run}`));
    if (!shown.text.includes(job.canary)) broken.push(`a job lacks ${job.canary} of its instruction`);
  }
  for (let left = size; left > 0; left -= 1) {
    const [text, line] = [drawPageText(random), drawPageLine(random, 90)];
    const query = encodeURIComponent(text);
    const url = `https://hooks.example.com/${random.pick([query, line, line.replaceAll(' ', '')])}`;
    const [place, visit] = random.pick<[string, () => Promise<Visited>]>([
      ['a key', () => rita.post(`${pages}/keys`, { name: line, expires: '30' })],
      ['a wrong key', () => rita.post(`${pages}/keys`, { name: text, expires: line })],
      ['a webhook', () => rita.post(`${pages}/webhooks`, { url })],
      ['a wrong job', () => rita.post(`${pages}/jobs/new`, { prompt: ' ', ref: text, model: line })],
      ['a filter', () => rita.get(`${pages}?status=${query}`)],
      ['a position', () => rita.get(`${pages}?after=${query}`)],
      ['days', () => rita.get(`${pages}/usage?from=${query}&by=${query}`)],
      ['a path', () => rita.get(`${pages}/${query}`)],
      ['a target', () => createVisitor({ url: world.url, github: world.github }).get(`${pages}/keys?x=${query}`)],
      ['a callback', () => rita.get(`/auth/callback?state=${query}&error=${query}`)],
    ]);
    judge(place, await visit());
  }
  for (const room of ['', '/keys', '/webhooks', '/usage?by=key', '/settings'])
    judge(`the page ${room}`, await rita.get(`${pages}${room}`));
  ledger.count(19, 'dashboard: texts', tries, broken);
}

/** A job with hostile words in its instruction, in what the model says and calls, in its title, its file names and its change. */
async function playHostileRun({ world, random }: Pick<Trial, 'world' | 'random'>, project: Project) {
  const canary = `canary-${Math.floor(random.between(0, 1e9))}`;
  const text = drawPageText(random);
  const content = `# Page\n\n\`\`\`\`\n${drawPageText(random).replaceAll('`', '')}\n\`\`\`\`\n`;
  const path = `${drawPageLine(random, 60).replaceAll(/[/\\`]/g, '') || 'page'}-${canary}.md`;
  const calls = [
    { name: 'write_file', arguments: { path, content } },
    { name: 'write_file', arguments: { path: `plain-${canary}.md`, content } },
    { name: drawPageLine(random, 60), arguments: { path: drawPageText(random) } },
  ];
  const words = { title: drawPageLine(random, 60), summary: drawPageText(random) };
  const name = world.addScript(({ turn }) =>
    turn === 0 ? { text, calls } : { calls: [{ name: 'finish', arguments: words }] },
  );
  // The API refuses NUL.
  const prompt = drawPageText(random).replaceAll('\0', '');
  const { id } = await project.caller.create(`${prompt} ${canary} ${name}`);
  await project.caller.settled(id);
  return { id, canary };
}
