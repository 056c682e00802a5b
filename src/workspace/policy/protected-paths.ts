/** Extensions of code. Markup, MDX, style sheets and data are documentation. */
const codeExtensions = [
  'js mjs cjs jsx ts mts cts tsx vue svelte astro coffee ejs',
  'py pyw pyx pyi pyc ipynb rb erb haml slim rake php phtml pl pm lua tcl r jl awk',
  'java kt kts groovy gradle scala sbt clj cljs cljc edn class jar war',
  'c h cc cpp cxx hh hpp hxx m mm s asm cs fs fsx vb swift go rs zig nim d dart pas f90 v sv cu',
  'ex exs erl hrl hs lhs ml mli el lisp rkt scm nix bzl cmake tf sql wasm wat',
  'csproj fsproj vbproj vcxproj sln props targets podspec nuspec cabal',
  'so dll dylib exe o a node bin deb rpm phar',
]
  .join(' ')
  .replaceAll(' ', '|');

/** Files that machines execute or obey: CI runs a pushed branch before anyone reviews it. Tested against the lower-cased path. */
const protectedGroups: { reason: string; patterns: RegExp[] }[] = [
  {
    reason: 'it configures tools, editors or continuous integration',
    // Below the top level only folders with a dot: a file like docs/.pages only orders a menu.
    patterns: [/^\./, /(^|\/)\.[^/]+\//, /(^|\/)(mcp|devbox)\.json$/, /(^|\/)mise(\.[^/]+)?\.toml$/],
  },
  {
    reason: 'git, package managers or servers obey it',
    patterns: [
      /(^|\/)\.(gitattributes|gitmodules|gitignore|gitconfig|npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|htaccess|netrc|pypirc)$/,
      /(^|\/)\.env(\.|$)/,
    ],
  },
  {
    reason: 'it is a package manifest or a lock file: it decides what code is installed and run',
    patterns: [
      /(^|\/)(package|package-lock|npm-shrinkwrap|deno|composer|pipfile|pdm|lerna|nx|turbo)\.(jsonc?|lock)$/,
      /(^|\/)(pnpm-lock|pnpm-workspace)\.ya?ml$/,
      /(^|\/)(yarn|poetry|uv|gemfile|cargo|bun|mix|flake|pubspec)\.lock$/,
      /(^|\/)(bun\.lockb|gemfile|pipfile|pyproject\.toml|setup\.(py|cfg)|tox\.ini|noxfile\.py|cargo\.toml|go\.(mod|sum|work))$/,
      /(^|\/)(requirements[^/]*\.(txt|in)|constraints[^/]*\.txt|environment\.ya?ml|[^/]+\.gemspec|flake\.nix|mix\.exs|pubspec\.yaml)$/,
    ],
  },
  { reason: 'it decides who has to review', patterns: [/(^|\/)codeowners$/] },
  {
    reason: 'it instructs agents',
    patterns: [/(^|\/)(agents|claude|gemini|copilot-instructions)(\.local)?\.md$/, /(^|\/)skill\.md$/],
  },
  {
    reason: 'it is code or configuration that a build executes',
    patterns: [
      /\.(sh|bash|zsh|fish|ps1|psm1|bat|cmd|mk)$/,
      /\.config\.[cm]?[jt]sx?$/,
      /(^|\/)(conf\.py|(gnu)?makefile|justfile|rakefile|taskfile\.ya?ml|jenkinsfile|procfile|vagrantfile|tiltfile)$/,
      /(^|\/)((gulp|grunt)file(\.[a-z.]+)?\.[cm]?[jt]s|hooks\.(py|[cm]?[jt]s))$/,
      /(^|\/)(dockerfile|containerfile)(\.(?!(mdx?|rst|adoc|txt)$)[^/]*)?$/,
      /(^|\/)(docker-compose|compose)(\.[^/]+)?\.ya?ml$/,
      /(^|\/)(action|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|appveyor)\.ya?ml$/,
      // Site generators whose settings name programs, and pages with code: mdBook, GitBook, Quarto, R Markdown, Antora, Jekyll.
      /(^|\/)(book\.(toml|json)|_config\.(ya?ml|toml)|_quarto[^/]*\.ya?ml|antora-playbook[^/]*\.ya?ml|doxyfile)$/,
      /\.(qmd|rmd)$/,
      /(^|\/)(project\.json|skaffold\.ya?ml|earthfile|bunfig\.toml|rust-toolchain(\.toml)?)$/,
      /(^|\/)(netlify\.toml|vercel\.json|wrangler\.(toml|jsonc?)|firebase\.json)$/,
      /(^|\/)(hooks|git-hooks|githooks|bin|scripts?)\/(.*\/)?[^/.]+$/,
    ],
  },
  {
    reason: 'it is source code or a build file',
    patterns: [
      new RegExp(`\\.(${codeExtensions})$`),
      /(^|\/)((gnu)?makefile\.(am|in|[^/]*inc)|configure|gradlew|mvnw|cmakelists\.txt|meson\.build|meson_options\.txt)$/,
      /(^|\/)(pom|build|ivy|nuget)\.(xml|config)$|(^|\/)gradle(-wrapper)?\.properties$/,
      /(^|\/)(workspace|module|build)(\.(bazel|bzlmod))?$|(^|\/)(buck|sconstruct|sconscript|wscript)$/,
      /(^|\/)(brew|pod|cart|fast|danger|guard|cap|berks|app|helm)file$/,
      /(^|\/)(lefthook|renovate|cypress|babel\.config|package)\.(ya?ml|toml|json[5c]?)$/,
      /(^|\/)[tj]sconfig[^/]*\.json$|(^|\/)pytest\.ini$|(^|\/)(stack|rebar|dub)\.(yaml|config|json)$/,
      // Files such as .eslintrc.json name plugins, which are loaded and run.
      /(^|\/)\.[^/]+rc(\.[^/]+)?$/,
    ],
  },
];

/** Returns why only people may write a checked path, written for the model. */
export function findProtection(path: string): string | undefined {
  const name = path.normalize('NFKC').toLowerCase();
  const group = protectedGroups.find(({ patterns }) => patterns.some((pattern) => pattern.test(name)));
  return (
    group && `${path} is protected: ${group.reason}. Leave it as it is; if it has to change, say so in your summary`
  );
}
