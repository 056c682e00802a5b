import { collapse, type Findings } from '../page-code.ts';
import { listBraces } from './braces.ts';
import { scanElement } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { htmlElements } from './html/shown-attributes.ts';
import { listRawTags } from './html/tags.ts';
import { nameComponent, scanVueAttributes } from './html/vue.ts';
import { listStrings } from './literals.ts';
import { readPageYaml } from './page-yaml.ts';

/** `::card{to="/x"}`, `:icon[x]`. */
const component = /(?<![\w:]):{1,9}([a-z][\w-]*)(?:\[[^\]\n]{0,500}\])?(\{|(?![\w:-]))/gi;
/** Up to a brace that stands in no value. */
const attributeList = /^(?:"[^"]*"|'[^']*'|[^"'}])*(?=\})/;
const mostCharacters = 2_000;

/** Components of Nuxt in Markdown: https://content.nuxt.com/docs/files/markdown#mdc-syntax */
export function scanMdc(findings: Findings, live: string, components: readonly string[]): void {
  const tags: string[] = [];
  let listEnd = 0;
  let left = 100_000 + 2 * live.length;
  for (const { index, 0: mark, 1: name = '', 2: brace = '' } of live.matchAll(component)) {
    const start = index + mark.length;
    // An attribute that is bound.
    if (start < listEnd && live[start] === '=') continue;
    const rest = brace === '' ? '' : live.slice(start, start + mostCharacters);
    const list = attributeList.exec(rest)?.[0];
    listEnd = Math.max(listEnd, start + (list?.length ?? 0));
    left -= (list ?? rest).length;
    // Lists without an end.
    if (left < 0) findings.add('directive', live.slice(index), { clue: name, shown: mark });
    if (left < 0) break;
    readPlainHtml(findings, `<${name} ${list ?? rest.split('\n\n', 1)}>`);
    tags.push(name);
  }
  for (const { name, attributes } of listRawTags(live)) {
    scanVueAttributes(
      findings,
      attributes.map(([key, value]) => [key, value ?? '']),
    );
    tags.push(name);
  }
  for (const name of tags)
    if (!htmlElements.has(name.toLowerCase()) && !components.includes(nameComponent(name)))
      findings.add('component', nameComponent(name), { clue: name, shown: `::${name}` });
  // They show data of the page, or call a function of it.
  for (const { inside } of listBraces(live, '{{', '}}')) findings.add('template', `{{ ${collapse(inside)} }}`);
  for (const source of listOptions(live.split('\n'))) {
    const values = readPageYaml(source);
    if (values === undefined) findings.add('directive', source);
    else for (const attribute of listStrings(values)) scanProperty(findings, attribute);
  }
}

function scanProperty(findings: Findings, property: readonly [string, string]): void {
  scanElement(findings, { tag: 'iframe', attributes: [property] });
  scanVueAttributes(findings, [property]);
}

/** Below a component, within `---`, its attributes as YAML. */
function* listOptions(lines: readonly string[]): Generator<string> {
  const rules = lines.flatMap((line, at) => (/^[\s>]*---\s*$/.test(line) ? [at] : []));
  for (const [index, start] of rules.entries())
    if (/^[\s>]*::/.test(lines[start - 1] ?? '')) yield lines.slice(start + 1, rules[index + 1]).join('\n');
}
