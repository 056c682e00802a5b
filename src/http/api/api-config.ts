import type { Config } from '../../config/config.ts';

/** What the API needs of the configuration. */
export interface ApiConfig {
  role: Config['role'];
  github: Pick<Config['github'], 'webUrl'>;
  openai: Pick<Config['openai'], 'models'>;
  jobRateLimitPerHour: number;
}
