import type { Request, Response } from 'express';
import type { ReadBody } from '../../bodies/read-body.ts';
import { PageRefusal } from './page-refusal.ts';

/** The longest instruction takes 375 KiB if each of its characters is encoded. */
const maxBytes = 512 * 1024;

interface Exchange {
  request: Request;
  response: Response;
}

/** The fields of a form that a browser sent. Line breaks are `\n`, as in the API. */
export function readForm(exchange: Exchange, readBody: ReadBody): Promise<URLSearchParams> {
  const { locals } = exchange.response;
  // A body arrives once.
  locals.form ??= parseForm(exchange, readBody);
  return locals.form;
}

async function parseForm({ request, response }: Exchange, readBody: ReadBody): Promise<URLSearchParams> {
  if (!request.is('application/x-www-form-urlencoded'))
    throw new PageRefusal(415, 'Not a form', 'Send the fields as a form of this page does.');
  using body = await readBody(request, response, { maxBytes });
  const fields = new URLSearchParams(body.bytes.toString('utf8'));
  return new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, value.replaceAll('\r\n', '\n')]),
  );
}

/** The instruction in a form that is answered by another page: it must not be lost. Never throws; empty: there is none. */
export async function readTyped(exchange: Exchange, readBody: ReadBody): Promise<string> {
  if (exchange.request.method !== 'POST') return '';
  const form = await readForm(exchange, readBody).catch(() => new URLSearchParams());
  return form.get('prompt') ?? '';
}
