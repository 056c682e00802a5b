import { createBase, readState } from '../../harness/memory-files.ts';
import { createRandom } from '../../harness/random.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import type { Ledger } from '../ledger.ts';
import { type BuiltPage, buildPages, createCanary } from './build-pages.ts';
import type { Builder } from './builder.ts';
import { drawNestedPage } from './grammars/nested-pages.ts';

const pagesAtOnce = 2_500;
const maxRefusedBuilt = 200;
/** Of whole sites, which are built again for each page that they cannot read. */
const maxRefusedSite = 12;

/** Draws pages, and builds those that the policy accepts: none may run anything, or show a file that it hides. */
export async function tryBuilder(
  builder: Builder,
  { ledger, seed, size }: { ledger: Ledger; seed: number; size: number },
): Promise<void> {
  using canary = createCanary();
  const random = createRandom(seed);
  const grammar = builder.grammar(canary.outside);
  const policy = await createPolicy({ base: createBase({ ...builder.files, '.env': canary.secret }) });
  const texts = [
    ...new Set(
      Array.from({ length: Math.min(size, builder.mostTexts ?? size) }, () => drawNestedPage(random, grammar)),
    ),
  ];
  const accepted: string[] = [];
  const refused: string[] = [];
  for (const [index, text] of texts.entries()) {
    const path = `docs/page-${index}.${builder.extension ?? 'md'}`;
    const refusal = await policy.findRefusal({ path, before: null, after: readState(text) });
    (refusal === undefined ? accepted : refused).push(text);
  }
  const built: BuiltPage[] = [];
  for (let at = 0; at < accepted.length; at += pagesAtOnce)
    built.push(...(await buildPages(builder, accepted.slice(at, at + pagesAtOnce), canary)));
  const isLive = ({ live }: BuiltPage) => live !== undefined;
  const ran = built.filter(isLive).toSorted((a, b) => a.text.length - b.text.length);
  const violations = ran.map(({ text, live }) => `${live}: ${quote(text)}`);
  ledger.count(19, builder.name, texts.length, violations);

  const sample: BuiltPage[] = [];
  const step = builder.site === undefined ? maxRefusedBuilt : maxRefusedSite;
  for (let at = 0; at < maxRefusedBuilt && !sample.some(isLive); at += step)
    sample.push(...(await buildPages(builder, refused.slice(at, at + step), canary)));
  const noticed = sample.filter(isLive).length;
  // A trial that notices nothing proves nothing.
  if (noticed === 0) ledger.count(19, builder.name, 0, ['no refused page ran anything']);
  const pages = built.filter(({ html }) => html !== undefined).length;
  console.log(
    `  ${texts.length} texts, ${accepted.length} accepted, ${pages} built, ${ran.length} live; of ${sample.length} refused, ${noticed} live`,
  );
}

/** Characters that terminals do not show stay readable. */
const quote = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
