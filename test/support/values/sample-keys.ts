const body = (length: number) => 'aB3dE'.repeat(length).slice(0, length);

/** One key of each format, by its kind; made up. Cut in two, so that scanners of this repository do not find them. */
export const sampleKeys = {
  'aws access key id': `AK${'IAQ3EGRIT7ZQ4XKLMN'}`,
  'github token': `gh${`p_${body(36)}`}`,
  'gitlab personal access token': `gl${`pat-${body(20)}`}`,
  'npm access token': `np${`m_${body(36)}`}`,
  'slack token': `xo${'xb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx'}`,
  'stripe secret key live': `sk${'_live_4eC39HqLyjWDarjtT1zdp7dc'}`,
  'openai token': `sk${`-${body(20)}T3BlbkFJ${body(20)}`}`,
  'anthropic api key': `sk${`-ant-api03-${body(93)}-aB3dEfAA`}`,
  'sendgrid key': `SG${`.${body(22)}.${body(43)}`}`,
  'private key': `-----BEGIN ${'RSA'} PRIVATE KEY-----\n${`MI${body(62)}\n${`${body(64)}\n`.repeat(12)}`}-----END RSA PRIVATE KEY-----`,
};
