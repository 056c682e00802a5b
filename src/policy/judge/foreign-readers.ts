import { findSecrets, type Secret } from '../../secrets/find-secrets.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import { type CodeRefusal, type CodeToCompare, compareCode, compareCodeTask } from '../code/compare-code.ts';
import { compareData, compareDataTask, type DataToCompare } from '../data/compare-data.ts';
import { compareOpened, compareOpenedTask, type OpenedToCompare } from '../data/compare-opened.ts';
import { cachePages } from '../pages/cache-pages.ts';
import type { PageContent } from '../pages/page-code.ts';
import { type PageToRead, readPage, readPageTask } from '../pages/read-page.ts';

const findSecretsTask = { module: import.meta.resolve('../../secrets/find-secrets.ts'), work: findSecrets };

/** What parses texts of repositories and models. Each throws `ThreadFailure` for a text that takes too long. */
export interface ForeignReaders {
  compareData(input: DataToCompare): Promise<string | undefined>;
  compareOpened(input: OpenedToCompare): Promise<string | undefined>;
  compareCode(input: CodeToCompare): Promise<CodeRefusal | undefined>;
  readPage(page: PageToRead): Promise<PageContent>;
  findSecrets(text: string): Promise<readonly Secret[]>;
}

/** In the caller's thread: for tests. */
export const inlineReaders: ForeignReaders = {
  compareData: async (input) => compareData(input),
  compareOpened: async (input) => compareOpened(input),
  compareCode: async (input) => compareCode(input),
  readPage: async (page) => readPage(page),
  findSecrets,
};

type Run = <Input, Output>(task: ThreadTask<Input, Output>, input: Input) => Promise<Output>;

/** In threads. Each page is read once. */
export const createForeignReaders = (run: Run): ForeignReaders => ({
  compareData: (input) => run(compareDataTask, input),
  compareOpened: (input) => run(compareOpenedTask, input),
  compareCode: (input) => run(compareCodeTask, input),
  readPage: cachePages((page) => run(readPageTask, page)),
  findSecrets: async (text) => run(findSecretsTask, text),
});
