import { isMap } from '../../docs/formats/data.ts';
import { readStrictJson } from '../../docs/formats/json.ts';
import { isInDataFolder, plainName } from '../places/file-types.ts';

export interface OpenedToCompare {
  path: string;
  type: 'plain' | 'data';
  /** Undefined: the base has no such file. */
  before: string | undefined;
  after: string;
}

/** Tags of YAML that make parsers run code: https://pyyaml.org/wiki/PyYAMLDocumentation */
const codeTag = /!(?:python|ruby|js)\/|![^\s,[\]{}]{0,40}%|tag:yaml\.org,2002:|^%TAG/m;

/** A file that the settings open must stay data: no tool may execute or obey it. Otherwise returns why not, for the model. */
export function compareOpened({ path, type, before, after }: OpenedToCompare): string | undefined {
  const name = plainName(path);
  if (name.endsWith('.css')) return findBadRule(path, before ?? '', after);
  if (type !== 'data') return undefined;
  if (!isInDataFolder(name) && ![before, after].every((text) => text === undefined || isApiDescription(name, text)))
    return `${path} is protected: JSON, YAML and TOML may be written only as data of the site (below static, public, data, examples, snippets or i18n) or as an OpenAPI or AsyncAPI description. If it has to change, say so in your summary`;
  const old = new Set((before ?? '').split('\n'));
  const tag = after.split(/[\n\r\u0085\u2028\u2029]/).find((line) => !old.has(line) && codeTag.test(line));
  return tag === undefined ? undefined : `${path} would gain a YAML tag that can run code. Write it without the tag`;
}

/** https://spec.openapis.org/oas/latest.html#openapi-object */
function isApiDescription(name: string, text: string): boolean {
  if (!name.endsWith('.json')) return /^["']?(?:openapi|swagger|asyncapi)["']?[ ]*:[ ]*["']?\d/m.test(text);
  const root = readStrictJson(text);
  return isMap(root) && ['openapi', 'swagger', 'asyncapi'].some((key) => typeof root[key] === 'string');
}

/** At-rules that only style. Others load files or code: https://tailwindcss.com/docs/functions-and-directives#plugin-directive */
const styleRules =
  /^@(?:-\w+-)?(?:charset|media|supports|font-face|font-feature-values|keyframes|layer|container|page|property|counter-style|namespace|scope|starting-style|apply)\b/i;

function findBadRule(path: string, before: string, after: string): string | undefined {
  const old = new Set(listRules(before));
  const bad = listRules(after).find((rule) => !old.has(rule) && !styleRules.test(rule));
  return bad === undefined
    ? undefined
    : `${path} would gain ${bad.slice(0, 60)}, which can load files or code. Write style rules only`;
}

/** Each at-rule with the text to its end. An escape may hide a name, so it is part of the rule. */
const listRules = (css: string): string[] => css.match(/@[\w\\-][^;{}\n]*/g) ?? [];
