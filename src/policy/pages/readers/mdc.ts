import type { Findings } from '../page-code.ts';
import { scanElement } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { htmlElements } from './html/shown-attributes.ts';
import { listRawTags } from './html/tags.ts';
import { nameComponent } from './html/vue.ts';
import { listStrings } from './literals.ts';
import { readPageYaml } from './page-yaml.ts';

/** `::card{to="/x"}`, `:icon[x]`. */
const component = /(?<![\w:]):{1,9}([a-z][\w-]*)(?:\[[^\]\n]{0,500}\])?(?:\{([^\n]{0,2000})|(?![\w:-]))/gi;
/** Components of Nuxt in Markdown: https://content.nuxt.com/docs/files/markdown#mdc-syntax */
export function scanMdc(findings: Findings, live: string, components: readonly string[]): void {
  const tags = Array.from(live.matchAll(component), ([, name = '', attributes = '']) => {
    readPlainHtml(findings, `<${name} ${attributes.split('}')[0]}>`);
    return name;
  });
  tags.push(...Array.from(listRawTags(live), ({ name }) => name));
  for (const name of tags)
    if (!htmlElements.has(name.toLowerCase()) && !components.includes(nameComponent(name)))
      findings.add('component', nameComponent(name), { clue: name, shown: `::${name}` });
  for (const source of listOptions(live.split('\n'))) {
    const values = readPageYaml(source);
    if (values === undefined) findings.add('directive', source);
    else for (const attribute of listStrings(values)) scanElement(findings, { tag: 'iframe', attributes: [attribute] });
  }
}

/** Below a component, within `---`, its attributes as YAML. */
function* listOptions(lines: readonly string[]): Generator<string> {
  const rules = lines.flatMap((line, at) => (/^[\s>]*---\s*$/.test(line) ? [at] : []));
  for (const [index, start] of rules.entries())
    if (/^[\s>]*::/.test(lines[start - 1] ?? '')) yield lines.slice(start + 1, rules[index + 1]).join('\n');
}
