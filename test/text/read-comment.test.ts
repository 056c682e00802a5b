import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVisible } from '../../src/text/read-visible.ts';
import { stripHidden } from '../../src/text/strip-hidden.ts';

const read = (body: string) => readVisible(stripHidden(body), 'pagewright');

test.each<[string, string, string, boolean]>([
  ['words', 'Fix the typo.', 'Fix the typo.', false],
  ['a mention first', '@pagewright fix the typo', 'fix the typo', true],
  ['a mention in capitals and with a comma', '@PageWright, fix it', 'fix it', true],
  ['the name of the bot', '@pagewright[bot]: fix it', 'fix it', true],
  ['a mention and a list', '@pagewright\n\n- one\n- two', '- one\n- two', true],
  ['a mention in the middle', 'Can you, @pagewright, fix it?', 'Can you, @pagewright, fix it?', true],
  ['a mention alone', '@pagewright', '@pagewright', true],
  ['a mention below a quotation', '> a typo\n\n@pagewright fix it', '> a typo\n\n@pagewright fix it', true],
  ['a mention in quotation marks', 'say "@pagewright" there', 'say "@pagewright" there', true],
  ['a mention behind a code span', '`a` @pagewright fix it', '`a` @pagewright fix it', true],
  ['a mention in a code span', 'write `@pagewright fix it` there', 'write `@pagewright fix it` there', false],
  ['a mention in a longer code span', '``a ` @pagewright`` there', '``a ` @pagewright`` there', false],
  ['a mention in a code block', 'Write:\n```\n@pagewright stop\n```', 'Write:\n```\n@pagewright stop\n```', false],
  ['a mention in a quotation', '> @pagewright fix it\n\nWhy?', '> @pagewright fix it\n\nWhy?', false],
  ['an e-mail address', 'mail me@pagewright.test', 'mail me@pagewright.test', false],
  ['a longer name', 'ask @pagewright-fan', 'ask @pagewright-fan', false],
  ['a team', 'ask @pagewright/writers', 'ask @pagewright/writers', false],
  ['an address', 'see https://x.test/@pagewright', 'see https://x.test/@pagewright', false],
  ['a mention in an aside', 'Fix it.\naside: @pagewright is slow', 'Fix it.', false],
  ['an aside among words', 'One.\n(aside) not this\nTwo.', 'One.\nTwo.', false],
  ['an aside in a list', '- one\n- Aside: two\n- three', '- one\n- three', false],
  ['an aside in bold', '**ASIDE** two\nthree', 'three', false],
  ['a quoted aside', '> aside: x\n> y\n\nWhy?', '> y\n\nWhy?', false],
  [
    'words that only begin like aside',
    'asides are fine\naside-navigation too',
    'asides are fine\naside-navigation too',
    false,
  ],
  ['an aside in a code block', '```\naside: x\n```', '```\naside: x\n```', false],
  ['an aside behind a code block', '```\nx\n```\naside: y', '```\nx\n```', false],
  ['a suggestion', '```suggestion\nBetter.\n```', '```suggestion\nBetter.\n```', false],
  ['hidden text', 'Fix it.<!-- and obey -->', 'Fix it.', false],
  ['a stop for somebody else', '@rita stop', '@rita stop', false],
  ['the word without a mention', 'stop', 'stop', false],
  ['more than stop', '@pagewright stop using tabs', 'stop using tabs', true],
  ['the opposite of stop', "@pagewright don't stop", "don't stop", true],
  ['stop in a code block', '@pagewright\n```\nstop\n```', '```\nstop\n```', true],
])('%s: an instruction', (_name, body, text, isMention) => {
  expect(read(body)).toEqual({ kind: 'instruction', text, isMention });
});

test.each([
  ['the mention and the word', '@pagewright stop'],
  ['cancel', '@pagewright cancel'],
  ['capitals and punctuation', '@Pagewright, STOP!!'],
  ['manners', 'Please stop, @pagewright[bot].'],
  ['white space, two lines and bold', '  @pagewright\n\n**stop** \n'],
  ['a quotation above', '> what you did\n\n@pagewright stop'],
  ['an aside below', '@pagewright stop\naside: that was nonsense'],
  ['hidden characters', '@page\u200Bwright st\u00ADop<!-- not -->'],
])('%s: a stop', (_name, body) => {
  expect(read(body)).toEqual({ kind: 'stop' });
});

test.each([
  ['an empty comment', ''],
  ['white space', ' \r\n\t'],
  ['only asides', 'aside: looks good\n\nAside @pagewright stop'],
  ['only quoted lines', '> a\n> b'],
  ['only an HTML comment', '<!-- fix it -->'],
  ['only what does not show', '\u200B\u2060'],
])('%s: nothing', (_name, body) => {
  expect(read(body)).toEqual({ kind: 'nothing' });
});

test('an App name with regular expression characters matches literally', () => {
  expect(readVisible(stripHidden('@aXb stop'), 'a.b')).toMatchObject({ kind: 'instruction', isMention: false });
});

const piece = fc.constantFrom(
  ...[
    '@pagewright',
    '[bot]',
    '@',
    'stop',
    'please',
    'aside',
    ':',
    '(',
    ')',
    '`',
    '```',
    '~~~',
    '>',
    '\n',
    ' ',
    'a',
    '-',
    '1.',
  ],
  ...['<!--', '-->', '\\', '*', '\u200B', '/', '_'],
);

test('an instruction is never empty and never contains an aside', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = pieces.join('');
      const result = read(body);
      if (result.kind === 'instruction') expect(result.text.trim()).not.toBe('');
      const aside = read(`${body.replace(/[`~<]/g, '')}\naside: the secret`);
      expect(JSON.stringify(aside)).not.toContain('the secret');
    }),
    { numRuns: 1_000 },
  );
});
