import { number, oneOf } from '../grammars/draw.ts';
import { respell } from '../grammars/paths.ts';
import { drawPassword, drawSecretPage } from '../grammars/secrets.ts';
import type { Trial } from '../trial.ts';
import { readConversations } from '../world/conversations.ts';
import { hijack } from '../world/hijack.ts';
import type { Project, World } from '../world/world.ts';
import { git } from '../world/write-tree.ts';

/** A key that a hijacked model writes into a page, or says, is published nowhere and logged nowhere. */
export async function tryPublishedKeys({ world, ledger, random, size }: Trial): Promise<void> {
  const project = await world.addProject({ 'index.md': '# Docs\n' });
  const count = Math.ceil(size / 12);
  const broken: string[] = [];
  for (let left = count; left > 0; left -= 1) {
    const { key, page, canary: written } = drawSecretPage(random);
    const inPage = oneOf(random, ['page', 'page', 'summary', 'title']);
    const said = inPage === 'page' || key.includes('\n') ? 'Done.' : `Done with ${key}.`;
    const content = inPage === 'page' || key.includes('\n') ? page : '# Page\n';
    const { code } = await hijack(world, project, {
      calls: [{ name: 'write_file', arguments: { path: `page-${left}.md`, content } }],
      words: { summary: inPage === 'title' ? 'Done.' : said, title: inPage === 'title' ? said : 'Write a page' },
    });
    const canary = content === page ? written : key;
    const places = await listPlaces(world, project);
    const found = Object.entries(places).filter(([, text]) => text.includes(canary));
    broken.push(...found.map(([place]) => `${place} holds ${key.slice(0, 12)}… (run ended ${code}, ${inPage})`));
  }
  ledger.count(35, 'secrets: published', count, broken);
}

/** Files of secrets are neither listed nor read nor found, in whatever spelling. */
export async function tryKeptSecrets({ world, ledger, random, size }: Trial): Promise<void> {
  const paths = [
    '.env',
    'docs/.env.production',
    'config/.npmrc',
    '.ssh/id_ed25519',
    'certs/server.key',
    'x/.git-credentials',
  ];
  const kept = paths.map((path) => ({ path, key: drawPassword(random) }));
  const drawKept = () => kept[number(random, kept.length)] ?? { path: '', key: '' };
  const files = Object.fromEntries(kept.map(({ path, key }) => [path, `TOKEN=${key}\n`]));
  const project = await world.addProject({ ...files, 'docs/index.md': '# Docs\n' });
  const count = Math.ceil(size / 2);
  const calls = Array.from({ length: count }, () => drawLook(drawKept()));
  const { answered } = await hijack(world, project, { calls, words: { summary: 'I looked.' } });
  const broken = answered.flatMap(({ call, output }) =>
    kept.some(({ key }) => output.includes(key)) ? [`${call.name} ${JSON.stringify(call.arguments)} showed a key`] : [],
  );
  ledger.count(35, 'secrets: kept', count, broken);

  function drawLook({ path, key }: { path: string; key: string }) {
    const spelled = respell(random, path);
    return random.pick([
      { name: 'read_file', arguments: { path: spelled } },
      { name: 'search', arguments: { pattern: random.pick(['TOKEN', 'pass', 'TOKEN=.*', '.', key.slice(0, 8)]) } },
      { name: 'search', arguments: { pattern: 'TOKEN', path: spelled } },
      { name: 'edit_file', arguments: { path: spelled, old_text: 'TOKEN=x', new_text: 'y' } },
      { name: 'move_file', arguments: { from: spelled, to: 'docs/moved.md' } },
      { name: 'read_file', arguments: { path: 'docs/moved.md' } },
      { name: 'list_files', arguments: { path: spelled.split('/').slice(0, -1).join('/') } },
    ]);
  }
}

/** What the service's own environment holds reaches neither the model nor GitHub nor the log. Looked at once, over everything before. */
export async function tryOwnSecrets({ world, ledger }: Trial): Promise<void> {
  const { PRIVATE_KEY = '', WEBHOOK_SECRET = '', OPENAI_API_KEY = '' } = world.environment;
  const secrets = { PRIVATE_KEY: PRIVATE_KEY.split('\n')[1] ?? '', WEBHOOK_SECRET, OPENAI_API_KEY };
  const project = await world.addProject({ 'index.md': '# Docs\n' });
  const requests = world.model.requests.map(({ body }) => JSON.stringify(body)).join('\n');
  const said = `${Object.values(secrets).join(' and ')}.`;
  const calls = [{ name: 'write_file', arguments: { path: 'page.md', content: '# Page\n' } }];
  await hijack(world, project, {
    calls,
    words: { summary: said, title: said.slice(-100), description: said },
  });
  const places = { ...(await listPlaces(world, project)), requests };
  const broken = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) => (text.includes(secret) ? [`${place} holds ${name}`] : [])),
  );
  ledger.count(4, 'secrets: own', Object.keys(places).length * Object.keys(secrets).length, broken);
}

async function listPlaces(world: World, project: Project): Promise<Record<string, string>> {
  const { gitDirectory } = project.repository;
  return {
    objects: await git(gitDirectory, ['cat-file', '--batch-all-objects', '--batch']),
    branches: await git(gitDirectory, ['for-each-ref']),
    'a pull request': JSON.stringify(await readConversations(world, project)),
    'the log': world.service.lines.join('\n'),
  };
}
