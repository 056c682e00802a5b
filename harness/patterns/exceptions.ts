// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code of templates.
/** A pattern that the check would report, and why it is linear all the same. */
interface Proven {
  file: string;
  pattern: RegExp;
  proof: string;
}

export const proven: readonly Proven[] = [
  {
    file: 'src/docs/pages/list-headings.ts',
    pattern: /<([A-Z][\w.]{0,50})\b[^<>]*>[^<>]*<\/\1>/g,
    proof: 'Neither loop passes the next angle bracket, and the backreference reads 51 characters at most.',
  },
  {
    file: 'src/docs/pages/list-headings.ts',
    pattern: /(\*\*|__|\*|~~)(?=\S)([^*_~]+?)\1/g,
    proof: 'The loop does not pass the next mark, and the backreference reads two characters at most.',
  },
  {
    file: 'src/docs/pages/list-tags.ts',
    pattern: /^(\{\s*(["'`]))([^"'`\\$]*)\2\s*\}$/,
    proof: 'Anchored. The first loop ends at the quote, the second at the next one, and the backreference reads one.',
  },
  {
    file: 'src/docs/questions/list-references.ts',
    pattern: /(["'`])((?:(?!\1)[^\\\n$]){1,300})\1/g,
    proof: 'Each quote reads 300 characters at most, and the backreference one.',
  },
  {
    file: 'src/docs/syntax/find-block-faults.ts',
    pattern: /(<(script|style)\b[^<>]*>)([\s\S]*?)(?=<\/\2|$)|<[^\s<>@]+@[^\s<>@]+>/gi,
    proof:
      'Once a start tag is read, the end of the text ends the match at the latest. The other loops do not pass the next angle bracket, and the backreference reads six characters.',
  },
  {
    file: 'src/http/api/reference/render-text.ts',
    pattern: /("(?:[^"\\]|\\.)*")(\s*:)?|('(?:[^'\\])*')|(?<=[\s:[,])(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])/g,
    proof: 'It reads the examples of our own description, once, when the service starts.',
  },
  {
    file: 'src/text/invisible.ts',
    pattern: /^\p{RGI_Emoji}$/v,
    proof: 'A list of emoji without a loop.',
  },
];

/** A pattern that is made when the service runs. `like`: what it may become, each one checked; none where `proof` says why it is linear. */
interface Built {
  file: string;
  code: string;
  like: readonly RegExp[];
  proof?: string;
}

export const built: readonly Built[] = [
  {
    file: 'src/context/changes/find-named-changes.ts',
    code: "new RegExp( `(?<![\\\\w./@-])(?<owner>${owner})/(?<repo>${repo})#(?<number>${number})(?![\\\\w-])` + `|https?://${host}/(?<urlOwner>${owner})/(?<urlRepo>${repo})/pull/(?<urlNumber>${number})(?![\\\\w-])`, 'gi', )",
    like: [
      /(?<![\w./@-])([a-z\d][\w-]{0,99})\/([\w.-]{1,100})#([1-9]\d{0,8})(?![\w-])|https?:\/\/github\.com\/([a-z\d][\w-]{0,99})\/([\w.-]{1,100})\/pull\/([1-9]\d{0,8})(?![\w-])/gi,
    ],
  },
  { file: 'src/disk/files.ts', code: 'new RegExp(shape)', like: [/(\d{13})-[0-9a-f]{8}/] },
  { file: 'src/disk/files.ts', code: 'new RegExp(`${shape}$`)', like: [/(\d{13})-[0-9a-f]{8}$/] },
  {
    file: 'src/docs/page-extensions.ts',
    code: "new RegExp(`\\\\.(?:${[...markdownExtensions, ...otherPageExtensions].join('|')})$`, 'i')",
    like: [/\.(?:md|mdx|markdown)$/i],
  },
  {
    file: 'src/docs/problems/find-syntax-problems.ts',
    code: 'new RegExp(`\\\\b${RegExp.escape(name)}\\\\b`)',
    like: [/\bCard\b/],
  },
  {
    file: 'src/docs/syntax/create-name-test.ts',
    code: 'new RegExp(`\\\\{\\\\s*${RegExp.escape(name)}[\\\\s.}]`)',
    like: [/\{\s*Card[\s.}]/],
  },
  {
    file: 'src/docs/syntax/create-name-test.ts',
    code: `new RegExp(\`\\\\s\${RegExp.escape(name)}\\\\s*=\\\\s*["'{]\`)`,
    like: [/\sCard\s*=\s*["'{]/],
  },
  {
    file: 'src/docs/syntax/create-name-test.ts',
    code: 'new RegExp(`(?<![\\\\w$])${RegExp.escape(name)}(?![\\\\w$])`)',
    like: [/(?<![\w$])Card(?![\w$])/],
  },
  {
    file: 'src/docs/syntax/create-name-test.ts',
    code: 'new RegExp( `(?<![\\\\w$.<])(?<!\\\\b(?:function|const|let|var|class|type|interface)\\\\s+)${RegExp.escape(name)}\\\\s*(?:[,:}\\\\n]|\\\\([^()]*\\\\)\\\\s*\\\\{)`, )',
    like: [
      /(?<![\w$.<])(?<!\b(?:function|const|let|var|class|type|interface)\s{1,9})Card\s*(?:[,:}\n]|\([^()]*\)\s*\{)/,
    ],
  },
  { file: 'src/docs/frameworks/marked.ts', code: 'new RegExp(`^${pattern}$`)', like: [/^mkdocs[^/]*\.yml$/] },
  {
    file: 'src/docs/frameworks/hugo/hugo.ts',
    code: 'new RegExp(`^(?:config/_default/)?(?:hugo|config)\\\\.${ending}$`)',
    like: [/^(?:config\/_default\/)?(?:hugo|config)\.yaml$/],
  },
  {
    file: 'src/docs/frameworks/hugo/hugo.ts',
    code: 'new RegExp(`^config/_default/menus?(?:\\\\.[\\\\w-]+)?\\\\.${ending}$`)',
    like: [/^config\/_default\/menus?(?:\.[\w-]+)?\.yaml$/],
  },
  {
    file: 'src/docs/frameworks/hugo/hugo.ts',
    code: 'new RegExp(`^i18n/[^/]+\\\\.${ending}$`)',
    like: [/^i18n\/[^/]+\.yaml$/],
  },
  {
    file: 'src/docs/frameworks/marked.ts',
    code: "new RegExp(files.map(({ name }) => name.source).join('|'))",
    like: [/^mkdocs[^/]*\.yml$|^mkdocs[^/]*\.yaml$|^hugo\.toml$/],
  },
  {
    file: 'src/docs/frameworks/marked.ts',
    code: "new RegExp(`(?:^|/)(?:${folders.map(({ name }) => name.source.slice(1, -1)).join('|')})/`)",
    like: [/(?:^|\/)(?:\.vitepress|archetypes)\//],
  },
  {
    file: 'src/docs/sites/write-redirect.ts',
    code: "new RegExp(`^${RegExp.escape(key)}:[ \\\\t]*`, 'm')",
    like: [/^aliases:[ \t]*/m],
  },
  {
    file: 'src/github/refusals/pull-request-refusal.ts',
    code: "new RegExp(`${end} sha can['’]t be blank`, 'i')",
    like: [/head sha can['’]t be blank/i],
  },
  { file: 'src/ids.ts', code: 'new RegExp(`^${prefix}_[0-9a-z]{26}$`)', like: [/^job_[0-9a-z]{26}$/] },
  {
    file: 'src/keys/key-format.ts',
    code: 'new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`)',
    like: [/^pagewright_[0-9A-Za-z]{36}$/],
  },
  {
    file: 'src/policy/places/find-place.ts',
    code: "new RegExp(`~(?:${Object.values(sideNames).join('|')})$`)",
    like: [/~(?:base|pagewright)$/],
  },
  {
    file: 'src/secrets/find-secrets.ts',
    code: "new RegExp(`${escaped.source}|(?:${joint.source})(?=[\\\\w+/.=\\\\\\\\&%-])`, 'g')",
    like: [
      /(?:(?:\\[nr]){0,2}["'`][\s+.\\]{0,80}["'`]|[ \t]{0,80}\\?\r?\n[ \t]{0,80}(?:(?:[>#*|;]|\/\/)[ \t]{0,80}){0,4}|<!--[^>]{0,200}-->)(?=[\w+/.=\\&%-])/g,
    ],
  },
  {
    file: 'src/store/postgres/availability.ts',
    code: 'new RegExp(`^(08|40|53|55P03|57|58|25P03|${readOnly})`)',
    like: [/^(08|40|53|55P03|57|58|25P03|25006)/],
  },
  {
    file: 'src/runs/work/private-names.ts',
    code: "new RegExp( `(?:https?://[\\\\w.:-]{1,100}/)?(?<![\\\\w-])@?${RegExp.escape(name)}(?![\\\\w-]|\\\\.\\\\w)(?:[/#][^\\\\s)\\\\]>\"'\\`]*)?`, 'gi', )",
    like: [
      /(?:https?:\/\/[\w.:-]{1,100}\/)?(?<![\w-])@?app(?![\w-]|\.\w)(?:[/#][^\s)\]>"'`]*)?/gi,
      /(?:https?:\/\/[\w.:-]{1,100}\/)?(?<![\w-])@?acme\/app(?![\w-]|\.\w)(?:[/#][^\s)\]>"'`]*)?/gi,
    ],
  },
  {
    file: 'src/text/invisible.ts',
    code: "new RegExp(`(?<emoji>${joinedEmoji})|(?<joiner>${joiner})|${ignorable}`, 'gv')",
    like: [],
    proof:
      'The only loop repeats a joiner and an emoji. What it has read is part of the match, but for ten characters at its end.',
  },
  { file: 'src/text/invisible.ts', code: "new RegExp(ignorable, 'gv')", like: [/[\uFFF9-\uFFFB]/g] },
  { file: 'src/text/invisible.ts', code: "new RegExp(`^${ignorable}$`, 'v')", like: [/^[\uFFF9-\uFFFB]$/] },
  {
    file: 'src/text/read-visible.ts',
    code: "new RegExp(mention, 'giu')",
    like: [/(?<![\p{L}\p{N}_/@])@pagewright(?:\[bot\])?(?![\p{L}\p{N}_/]|-[\p{L}\p{N}])/giu],
  },
  {
    file: 'src/text/read-visible.ts',
    code: "new RegExp( `(?<![\\\\p{L}\\\\p{N}_/@])@${RegExp.escape(appSlug)}(?:\\\\[bot\\\\])?(?![\\\\p{L}\\\\p{N}_/]|-[\\\\p{L}\\\\p{N}])`, 'iu', )",
    like: [/(?<![\p{L}\p{N}_/@])@pagewright(?:\[bot\])?(?![\p{L}\p{N}_/]|-[\p{L}\p{N}])/iu],
  },
  {
    file: 'src/tools/output/list-names.ts',
    code: "new RegExp(`(?:${before})${literally(name)}${behind}`, 'g')",
    like: [
      /(?:(?<![\w./%-])|(?<=:\/\/[\w.:-]{1,60}))\/install(?!\/?[\w-])/g,
      /(?:(?<![\w./%-])|(?<=:\/\/[\w.:-]{1,60}))\/install(?:\.[A-Za-z]{1,8})?\/?#(?:one|two)(?![\w-])/g,
    ],
  },
  { file: 'src/tools/replace-text.ts', code: "new RegExp(words, 'iu')", like: [/old[ _-]words/iu] },
  {
    file: 'src/workspace/merges/find-merge-conflicts.ts',
    code: 'new RegExp(`~(?:${tip}|${base})$`)',
    like: [/~(?:tip|base)$/],
  },
  {
    file: 'src/workspace/merges/conflicts.ts',
    code: "new RegExp(`^(?:(<{7} )${tip}|(>{7} )${base})(?=(?::.*)?\\\\r?$)`, 'gm')",
    like: [/^(?:(<{7} )tip|(>{7} )base)(?=(?::.*)?\r?$)/gm],
  },
  {
    file: 'src/workspace/merges/conflicts.ts',
    code: "new RegExp(`^(?:<{7} ${sideNames.tip}|>{7} ${sideNames.base})(?::.*)?\\\\r?$`, 'm')",
    like: [/^(?:<{7} tip|>{7} base)(?::.*)?\r?$/m],
  },
];
