import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** TypeScript 5: the generator needs its API, which TypeScript 7 does not have. */
const compiler = pathToFileURL(resolve('node_modules/@ts-morph/common/dist/typescript.js')).href;

/** Returns the types of an OpenAPI description in JSON. */
export async function generateTypes(description: string): Promise<string> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? compiler : specifier, context),
  });
  try {
    const { astToString, default: openapiTS } = await import('openapi-typescript');
    return astToString(await openapiTS(description));
  } finally {
    hooks.deregister();
  }
}
