/** A request as bytes, as any program with a socket can send it. */
export interface RawRequest {
  head: string;
  body: Buffer;
}

export const write = ({ head, body }: RawRequest): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]);
