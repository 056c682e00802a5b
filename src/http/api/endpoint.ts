import { Router } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { Automations } from '../../automations/create-automations.ts';
import type { Config } from '../../config/config.ts';
import type { ChangeReader } from '../../context/changes/create-change-reader.ts';
import type { ReadContextStates } from '../../context/create-context-states.ts';
import type { ReadDiff } from '../../diffs/read-diff.ts';
import type { ProjectLimits } from '../../jobs/count-against-limits.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Store } from '../../store/store.ts';
import type { Timing } from '../../timing.ts';
import type { ReadBody } from '../bodies/read-body.ts';
import { allowOnly, type HttpProblemKind } from '../problem.ts';
import type { SendEvents } from '../streams/send-events.ts';
import { describeProblemResponses } from './description/responses.ts';
import { describePath } from './description/shared-schemas.ts';
import type { Cursors } from './requests/lists.ts';
import { type ApiReply, type Call, createProjectRoute } from './requests/project-route.ts';
import { readQuery, requireNoBody } from './requests/read-request.ts';

/** The part of the configuration that the API needs. */
export interface ApiConfig {
  role: Config['role'];
  publicUrl: Config['publicUrl'];
  github: { webUrl: string };
  openai: { models: Config['openai']['models']; images: boolean };
  prices: Config['prices'];
  projectLimits: ProjectLimits;
}

/** What the handlers need. */
export interface ApiParts {
  store: Store;
  config: ApiConfig;
  readBody: ReadBody;
  /** How long a request waits for another one with its Idempotency-Key. */
  keyWaits: Timing['idempotency'];
  cursors: Cursors;
  openProject: OpenProject;
  readDiff: ReadDiff;
  changes: { readAtOnce: ChangeReader['readAtOnce'] };
  automations: { prepare: Automations['prepare']; run: Automations['run'] };
  readContextStates: ReadContextStates;
  outbound: Outbound;
  /** Hides the service's secrets in a text. */
  redact: (text: string) => string;
  sendEvents: SendEvents;
}

interface Description {
  method: 'get' | 'post' | 'delete';
  /** Below `/v2/agent/{projectId}`, in the notation of OpenAPI. */
  path: `/${string}`;
  operationId: string;
  summary: string;
  description?: string;
  query?: z.ZodObject;
  header?: z.ZodObject;
  body?: z.ZodType;
  isBodyOptional?: true;
  answers: NonNullable<ZodOpenApiOperationObject['responses']>;
  /** What it may answer beside the problems of all. */
  problems?: readonly HttpProblemKind[];
  /** Routes of the first API, whose clients may send anything. Others refuse unknown parameters. */
  ignoresQuery?: true;
}

type Handle = (call: Call, parts: ApiParts) => Promise<ApiReply>;

/** One method of one path, for a valid API key of the project. `createHandler`: for a handler that keeps something from call to call. */
export type Endpoint = Description & ({ handle: Handle } | { createHandler: (parts: ApiParts) => Handle });

const projectPath = '/v2/agent/{projectId}';

/** The path of what a request made, for the header `Location`. */
export const toLocation = ({ projectId }: Call, path: string) =>
  `${projectPath.replace('{projectId}', projectId)}${path}`;

export function createEndpointRoutes(endpoints: readonly Endpoint[], parts: ApiParts): Router {
  const toHandler = createProjectRoute(parts);
  const router = Router();
  for (const [path, ofPath] of groupByPath(endpoints)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const endpoint of ofPath) route[endpoint.method](toHandler(createStrictHandler(endpoint, parts)));
    route.all(allowOnly(...ofPath.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

const noParameters = z.strictObject({});

/** A handler with parameters reads the query itself, and one with a body the body. */
export function createStrictHandler(endpoint: Endpoint, parts: ApiParts) {
  const { method, query, body, ignoresQuery } = endpoint;
  const handle = 'handle' in endpoint ? endpoint.handle : endpoint.createHandler(parts);
  const parameters = Object.keys(query?.shape ?? {});
  return async (call: Call) => {
    if (!ignoresQuery && !query) readQuery(call, noParameters);
    if (method === 'post' && !body) await requireNoBody(call, { parameters });
    return handle(call, parts);
  };
}

const problemsOfAll: HttpProblemKind[] = [
  'invalid-request',
  'unauthorized',
  'not-found',
  'expectation-failed',
  'headers-too-large',
  'internal',
  'unavailable',
];
const problemsOfBodies: HttpProblemKind[] = [
  'request-timeout',
  'length-required',
  'content-too-large',
  'unsupported-media-type',
];

/** An endpoint, and the group of the description that it stands in. */
export type TaggedEndpoint = Endpoint & { tag: string };

export function describeEndpoints(endpoints: readonly TaggedEndpoint[]): ZodOpenApiPathsObject {
  const describe = (ofPath: TaggedEndpoint[]) =>
    Object.fromEntries(ofPath.map((endpoint) => [endpoint.method, describeEndpoint(endpoint)]));
  return Object.fromEntries([...groupByPath(endpoints)].map(([path, ofPath]) => [path, describe(ofPath)]));
}

function describeEndpoint({
  method,
  path,
  body,
  problems = [],
  ...endpoint
}: TaggedEndpoint): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, query, header, isBodyOptional, answers } = endpoint;
  const ofBody = method === 'post' ? problemsOfBodies : [];
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    requestParams: { path: describePath(path), ...(query && { query }), ...(header && { header }) },
    ...(body && { requestBody: { required: !isBodyOptional, content: { 'application/json': { schema: body } } } }),
    responses: { ...answers, ...describeProblemResponses(...ofBody, ...problems, ...problemsOfAll) },
  };
}

const groupByPath = <Any extends Endpoint>(endpoints: readonly Any[]) =>
  Map.groupBy(endpoints, ({ path }) => `${projectPath}${path}`);
