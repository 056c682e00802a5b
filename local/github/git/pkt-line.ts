/** The packets that git's protocols are made of: https://git-scm.com/docs/protocol-common#_pkt_line_format */

export interface PushCommand {
  before: string;
  after: string;
  ref: string;
}

/**
 * The commands at the start of a push, and the pack that follows them (empty when only refs are deleted):
 * https://git-scm.com/docs/pack-protocol#_reference_update_request_and_packfile_transfer
 */
export function parsePush(body: Buffer): { commands: PushCommand[]; usesSideBand: boolean; pack: Buffer } {
  const commands: PushCommand[] = [];
  let usesSideBand = false;
  let at = 0;
  while (at + 4 <= body.length) {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    if (!(length > 4)) break;
    const [line = '', capabilities = ''] = body
      .toString('utf8', at + 4, at + length)
      .trimEnd()
      .split('\0');
    usesSideBand ||= capabilities.includes('side-band-64k');
    const [before = '', after = '', ref = ''] = line.split(' ');
    if (ref !== '') commands.push({ before, after, ref });
    at += length;
  }
  return { commands, usesSideBand, pack: body.subarray(at + flush.length) };
}

/** A report that refuses a whole push: each ref with its reason, `message` shown as `remote:` lines. */
export function formatRefusal(
  { commands, usesSideBand }: { commands: PushCommand[]; usesSideBand: boolean },
  reasonOf: (ref: string) => string,
  message: string,
): Buffer {
  const lines = ['unpack ok\n', ...commands.map(({ ref }) => `ng ${ref} ${reasonOf(ref)}\n`)];
  const report = Buffer.concat([...lines.map((line) => packet(Buffer.from(line))), flush]);
  if (!usesSideBand) return report;
  return Buffer.concat([packet(onBand(2, Buffer.from(message))), packet(onBand(1, report)), flush]);
}

const flush = Buffer.from('0000');

const packet = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content]);

const onBand = (band: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([band]), content]);
