import { posix } from 'node:path';
import type { CodeFile, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { compileGlob } from '../../glob.ts';
import { sideNames } from '../../workspace/merges/find-merge-conflicts.ts';
import type { BaseFiles } from '../base-files.ts';
import { findFileType, isInDataFolder, isRunByName, plainName } from './file-types.ts';
import type { findIncludedFiles } from './included-files.ts';
import type { Layout } from './read-layout.ts';

/** What a run may do with the file at a path. */
export type Place =
  | { kind: 'page' }
  /** Only the data of its containers may change. */
  | { kind: 'data'; file: DataFile }
  /** The same, for JavaScript and TypeScript. */
  | { kind: 'code'; file: CodeFile }
  /** May be moved and removed, not written. */
  | { kind: 'media' }
  /** The settings open it by name, or it is what `page` of the base includes. */
  | { kind: 'opened'; type: 'plain' | 'data' | 'code'; page?: string; isNamed: boolean }
  | { kind: 'protected'; reason: string; isGenerated?: true };

/** Files about a project without an extension or with .txt, and files for robots. */
const knownTexts =
  /(?:^|\/)(?:(?:readme|changelog|changes|history|news|contributing|contributors|authors|licen[cs]e|copying|notice|support|security|code_of_conduct)(?:\.txt)?|(?:llms[\w.-]*|robots|humans)\.txt)$/;
const inDotFolder = /(?:^|\/)\.[^/]+\//;
/** The one folder with a dot that holds navigation. */
const configurationFolder = /(^|\/)\.(?:vite|vue)press\/(?!(?:theme|cache|dist)\/)/;
/** What merges append to the name of a file that is in the way of a folder. */
const ofSide = new RegExp(`~(?:${Object.values(sideNames).join('|')})$`);

/** Fails closed: what is not known to be documentation is protected, and an invalid glob opens nothing. */
export function createFindPlace(
  layout: Layout,
  also: readonly string[] = [],
  options: {
    findGenerated?: (path: string) => string | undefined;
    included?: Awaited<ReturnType<typeof findIncludedFiles>>;
    /** Of the base. */
    files?: BaseFiles['files'];
  } = {},
): (path: string) => Place {
  const { findGenerated = () => undefined, included = new Map<string, string>(), files } = options;
  const beside = new Map(Array.from(included, ([path, page]) => [kindOf(path), page]));
  const opened = also.map((glob) => compileGlob(glob));
  /** A new file of the same kind in the same folder may be included next. */
  const findPageBeside = (path: string) => (files?.has(path) === false ? beside.get(kindOf(path)) : undefined);
  const known = new Map<string, Place>();
  return (path) => {
    const place = known.get(path) ?? find(path);
    known.set(path, place);
    return place;
  };

  function describeBuild(name: string): string | undefined {
    if (layout.isTemplate(name)) return 'a build runs the templates of this folder';
    return layout.isBuilt(name) ? 'a build makes the files of this folder' : undefined;
  }

  /** A table of a page goes along when the page moves. */
  function isIncludedTable(path: string): boolean {
    const name = nameOf(path);
    return /\.[ct]sv$/.test(name) && !included.has(path) && [...included.keys()].some((each) => nameOf(each) === name);
  }

  function find(path: string): Place {
    const generated = findGenerated(path);
    if (generated !== undefined) return { kind: 'protected', reason: generated, isGenerated: true };
    const name = plainName(path).replace(ofSide, '');
    // GitBook and mdBook know no other spelling.
    const isPlainPage = name.endsWith('summary.md') && !/(?:summary|SUMMARY)\.md$/.test(path);
    const file = inDotFolder.test(name) || isPlainPage ? undefined : layout.findDataFile(name);
    if (file !== undefined) return { kind: 'data', file };
    const code = inDotFolder.test(name.replace(configurationFolder, '$1')) ? undefined : layout.findCodeFile(name);
    if (code !== undefined) return { kind: 'code', file: code };
    const protection = describeBuild(name) ?? findProtection(name, path);
    if (protection !== undefined) return { kind: 'protected', reason: protection };

    const type = findFileType(name);
    const isPage =
      type === 'page' ||
      knownTexts.test(name) ||
      (name.endsWith('.txt') && layout.hasTextPages(name)) ||
      (type === 'translation' && layout.isTranslation(name));
    if (isPage) return { kind: 'page' };
    if (type === 'media') return { kind: 'media' };
    const canOpen = type === 'plain' || type === 'data' || type === 'translation';
    const page = type === 'code' && isRunByName(name) ? undefined : (included.get(path) ?? findPageBeside(path));
    const isNamed = opened.some((matches) => matches?.(path));
    if (isNamed ? canOpen || (type === 'code' && page) : page && isSample(name, type)) {
      return {
        kind: 'opened',
        type: type === 'data' || type === 'code' ? type : 'plain',
        isNamed,
        ...(page && { page }),
      };
    }
    if (isIncludedTable(path)) return { kind: 'media' };
    const hint =
      canOpen || (type === 'code' && page)
        ? `. A person can open it by \`also: [${path}]\` in .github/pagewright.yml`
        : '';
    const reason = page && type === 'code' ? `it is code, which ${page} includes` : notDocumentation;
    return { kind: 'protected', reason: `${reason}${hint}` };
  }
}

const kindOf = (path: string) => `${posix.dirname(path)} ${posix.extname(path)}`;
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const notDocumentation = 'it is neither a page (md, mdx, mdoc, rst, adoc, qmd) nor navigation data';
/** What the pages of the base include opens by itself only if it runs and styles nothing. */
const isSample = (name: string, type: ReturnType<typeof findFileType>): boolean =>
  (type === 'data' && isInDataFolder(name)) || (type === 'plain' && !name.endsWith('.css'));

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
const findProtection = (name: string, path: string): string | undefined =>
  isForOneAgent(path)
    ? instructsAgents
    : protectedGroups.find(({ patterns }) => patterns.some((pattern) => pattern.test(name)))?.reason;
