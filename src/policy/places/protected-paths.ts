/** Read by one agent each. Elsewhere than at the root, only in capitals: `models/qwen.md` is a page about a model. */
const ofOneAgent = [
  'qwen',
  'warp',
  'crush',
  'jules',
  'conventions',
  'codex',
  'opencode',
  'iflow',
  'replit',
  'devin',
  'kimi',
];
const instructsAgents = 'it instructs agents';
const isForOneAgent = (path: string): boolean => {
  const [, folder, name = ''] = /^(.*\/)?([^/.]+)(?:\.(?:local|override))?\.md$/i.exec(path) ?? [];
  return ofOneAgent.includes(name.toLowerCase()) && (folder === undefined || name === name.toUpperCase());
};

/**
 * Files that only people may write, even if the settings open them, by name in lower case. Needed only for allowed extensions: files with
 * any other are protected anyway.
 */
const protectedGroups: { reason: string; patterns: RegExp[] }[] = [
  {
    reason: 'names with a dot configure git, tools, editors or continuous integration',
    patterns: [/(^|\/)\./],
  },
  {
    reason: 'it is a template, which a build runs',
    patterns: [
      /(^|\/)_(includes|layouts|templates)\//,
      /\{[{%]/,
      /\.(tmpl|tpl|gotmpl|j2|jinja2?|njk|liquid|hbs|mustache|ejs|erb)\./,
    ],
  },
  { reason: 'it decides who has to review', patterns: [/(^|\/)codeowners(\.|$)/] },
  {
    reason: instructsAgents,
    patterns: [
      /(^|\/)(agents?|claude|gemini|copilot-instructions)(\.(local|override))?\.(md|txt)$/,
      /(^|\/)skill\.md$/,
      /\.(prompt|instructions|chatmode|agent)\.md$/,
    ],
  },
  {
    reason: 'it is a package manifest or a lock file: it decides what code is installed and run',
    patterns: [
      /(^|\/)(package|package-lock|npm-shrinkwrap|deno|jsr|bower|composer|pipfile|pdm|lerna|nx|turbo|rush|vcpkg|conanfile)\.(jsonc?|toml|txt)$/,
      /(^|\/)(pnpm-lock|pnpm-workspace|pubspec|environment|conda|shard|meta)\.ya?ml$/,
      /(^|\/)(?=[^/]*(requirements?|constraints?|packages?|runtime|apt|spec-file))[^/]*\.txt$/,
      /(^|\/)requirements?\/[^/]+\.txt$/,
      /(^|\/)(pyproject|cargo|gopkg|pixi|uv|poetry|rust-toolchain|wrangler|fly|netlify|book|mise(\.[^/]+)?)\.toml$/,
    ],
  },
  {
    reason: 'it configures a build, a server or a tool that runs code',
    patterns: [
      /(^|\/)cmakelists\.txt$/,
      /[._-]?(config|configs|configuration|settings|rc|tasks?|plugins?|hooks?|pipelines?|workflows?)\.(json|ya?ml|toml)$/,
      /(^|\/)[tj]sconfig[^/]*\.json$/,
      /(^|\/)(mkdocs|zensical|_quarto|_config|antora|hugo|docker-compose|compose|values|chart|kustomization)[^/]*\.(ya?ml|toml|json)$/,
      /(^|\/)(amplify|app|appveyor|azure-pipelines|bitbucket-pipelines|bitrise|buildspec|cloudbuild|codemagic|fly|heroku|railway|readthedocs|render|serverless|skaffold|template|vercel|now|firebase|wercker|action|renovate|lefthook|docker|project|workspace|angular|devbox|mcp|nodemon|typedoc|jsdoc|redocly|spectral|cspell|cypress|jest|babel|biome|manifest|tslint|stylelint|markdownlint|vale|sonar|dvc|earthly|garden|tilt|okteto|tekton|argo|helm|crowdin|dependabot|codecov|semgrep|snyk|book|docs|mint)\.(jsonc?|ya?ml|toml)$/,
    ],
  },
];

/** Returns why only people may write a path, for the end of a sentence. `name` is the path in lower case. */
export const findProtection = (name: string, path: string): string | undefined =>
  isForOneAgent(path)
    ? instructsAgents
    : protectedGroups.find(({ patterns }) => patterns.some((pattern) => pattern.test(name)))?.reason;
