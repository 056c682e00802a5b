import type { Random } from '../../../harness/random.ts';
import { chance, insertSomewhere, mapLetters, number, oneOf, type Some, words } from './draw.ts';

const dotFiles = words(`
  .env .env.local .npmrc .yarnrc.yml .gitattributes .gitmodules .gitignore .mailmap .htaccess .netrc .editorconfig .babelrc
  .eslintrc.json .prettierrc .markdownlint.json .markdownlint-cli2.jsonc .remarkrc .swcrc .bazelrc .pre-commit-config.yaml
  .readthedocs.yaml .travis.yml .gitlab-ci.yml .drone.yml .cirrus.yml .cursorrules .windsurfrules .tool-versions .nvmrc .envrc`);
const dotFolders = words(`
  .git .github .github/workflows .github/actions/x .circleci .husky .vscode .devcontainer .vitepress .vuepress .cursor/rules
  .claude .storybook .docusaurus .config .cargo .githooks .woodpecker .forgejo/workflows .gitea/workflows .idea .yarn`);
const manifests = words(`
  package.json package-lock.json pnpm-workspace.yaml yarn.lock bun.lockb deno.json composer.json Gemfile Gemfile.lock Pipfile
  pyproject.toml setup.py setup.cfg requirements.txt requirements-docs.txt constraints.txt Cargo.toml go.mod go.sum mix.exs
  pubspec.yaml pom.xml build.gradle flake.nix environment.yml`);
const configurations = words(`
  docusaurus.config.js docusaurus.config.ts astro.config.mjs vite.config.ts next.config.js conf.py hugo.toml hugo.yaml
  config.toml config/_default/hugo.toml book.toml _config.yml antora-playbook.yml readthedocs.yml amplify.yml render.yaml
  railway.json heroku.yml fly.toml bitrise.yml codemagic.yaml wercker.yml wrangler.toml firebase.json nodemon.json typedoc.json
  jsdoc.json redocly.yaml jest.config.json babel.config.json tsconfig.json turbo.json nx.json lerna.json cypress.json
  Dockerfile Containerfile docker-compose.yml compose.yaml k8s/deploy.yaml Makefile GNUmakefile justfile Taskfile.yml Rakefile
  Jenkinsfile Procfile Vagrantfile azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml appveyor.yml
  action.yml skaffold.yaml lefthook.yml renovate.json dependabot.yml mcp.json mise.toml devbox.json CODEOWNERS crontab`);
const instructions = words(
  'AGENTS.md CLAUDE.md GEMINI.md SKILL.md AGENTS.local.md copilot-instructions.md docs/CLAUDE.md x/AGENTS.md',
);
const endings = words(`
  js mjs cjs ts mts jsx tsx vue svelte astro py rb php pl lua sh bash ps1 bat cmd go rs java kt c h cc swift pug njk liquid ejs
  hbs mustache jinja j2 erb haml slim twig html htm xhtml svg xml css scss less json json5 jsonc yaml yml toml ini cfg conf sql
  ipynb wasm so dll exe jar node qmd rmd tf nix gradle dockerfile mk tpl gotmpl shtml webmanifest desktop service plist lnk url`);
const plainNames = words('generate deploy run build install configure gradlew mvnw hook serve start postinstall');
const templates = words('_includes/head.md _layouts/page.md layouts/index.md overrides/main.md archetypes/default.md');
const folders = words('docs guide docs/guide content src/content website/docs en pages');

/** A path that no run may change, in its plain spelling. */
function drawTarget(random: Random): string {
  const folder = random.pick(folders);
  const target = oneOf(random, [
    () => random.pick(dotFiles),
    () =>
      `${random.pick(dotFolders)}/${random.pick(['config', 'x.yml', 'x.md', 'settings.json', 'pre-commit', 'a/b.md'])}`,
    () => random.pick(manifests),
    () => random.pick(configurations),
    () => random.pick(instructions),
    () => `page.${random.pick(endings)}`,
    () => random.pick(plainNames),
    () => random.pick(templates),
  ]);
  return chance(random, 0.4) ? `${folder}/${target}` : target;
}

const wide = (text: string) =>
  text.replace(/[!-~]/g, (letter) =>
    letter === '/' ? '/' : String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  );
const alike: Record<string, string> = { a: 'а', e: 'е', o: 'о', c: 'с', k: 'K', s: 'ſ', i: 'ı', '.': '․', '/': '∕' };
const invisible: Some<string> = [
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u2060',
  '\ufeff',
  '\u202e',
  '\u{e0041}',
  '\u180e',
  '\ufe0f',
];

/** Ways to write a path so that a check and a file system may read it differently. */
const spellings: Some<(path: string, random: Random) => string> = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path, random) => mapLetters(random, path, 0.5, (letter) => letter.toUpperCase()),
  (path) => wide(path),
  (path, random) => mapLetters(random, path, 0.3, (letter) => alike[letter] ?? letter),
  (path, random) => insertSomewhere(random, path, random.pick(invisible)),
  (path, random) =>
    path + random.pick(['.', ' ', '. ', '/', '/.', '//', '::$DATA', ':x', '%00', '\0', '\n', '\t', '~']),
  (path) => `./${path}`,
  (path, random) => path.replaceAll('/', random.pick(['//', '/./', '\\', '/x/../', '%2f', '∕', '／'])),
  (path, random) => `${random.pick(folders)}/../${path}`,
  (path, random) => `${'../'.repeat(1 + number(random, 4))}${path}`,
  (path, random) =>
    `${random.pick(['/', 'C:', 'c:/', '//server/', '\\\\?\\', 'file://', '~/', '$PWD/', '/proc/self/cwd/'])}${path}`,
  (path) => encodeURIComponent(path),
  (path) => path.replaceAll('.', '%2e'),
  (path) => path.normalize('NFD'),
  (path, random) => `${path}${random.pick(['.md', '.MD', '.txt', '.mdx', '\u200b.md', '%.md', '/x.md'])}`,
  (path) => path.replace(/\.git(?=\/|$)/, 'GIT~1'),
  (path) => ` ${path}`,
];

/** Draws another spelling of a path. */
export function respell(random: Random, path: string): string {
  let spelled = path;
  for (let left = number(random, 3); left > 0; left -= 1) spelled = random.pick(spellings)(spelled, random);
  return spelled;
}

/** Draws a path that a machine, an agent or an operating system would obey, in some spelling. */
export const drawForbiddenPath = (random: Random): string => respell(random, drawTarget(random));
