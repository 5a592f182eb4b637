import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import type { App } from '#api/app.ts';
import { descriptionOf } from '#api/http/openapi/openapi.ts';

/** An answer of the API that is not as the description says. */
export class UndescribedAnswerError extends Error {
  override readonly name = 'UndescribedAnswerError';
}

type Json = Record<string, any>;

/** Throws `UndescribedAnswerError` unless the answer has a described status, content type and body. */
export type AnswerCheck = (request: Request, response: Response) => Promise<void>;

function schemasOf(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const [format, pattern] of formats) ajv.addFormat(format, pattern);
  return ajv.addSchema({ ...document, $id: 'api' });
}

/** Says what is wrong with an example, by the schema beside it: empty where nothing is. */
export function describedExamples(document: Json): (content: Json) => string {
  const ajv = schemasOf(document);
  return ({ schema, example }) => {
    // References are written for the whole document.
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
    return ajv.validate(own, example) ? '' : ajv.errorsText();
  };
}

/** Holds answers against a description; paths that it does not have, such as those of the site, pass. */
export function describedAnswers(document: Json): AnswerCheck {
  const ajv = schemasOf(document);
  const validators = new Map<string, ValidateFunction>();
  const templates = Object.keys(document['paths']).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
    variables: path.split('{').length,
  }));
  // `/jobs/count` before `/jobs/{id}`, as the router has it.
  templates.sort((a, b) => a.variables - b.variables);

  return async (request, response) => {
    const { pathname } = new URL(request.url);
    const path = templates.find(({ pattern }) => pattern.test(pathname))?.path;
    const method = request.method.toLowerCase();
    const operation = path && document['paths'][path][method];
    if (!operation) return;
    if (response.status === 200) assertQuery(ajv, request.url, operation);
    const name = `${request.method} ${path} (${operation.operationId}) answered ${response.status}`;
    if (isMisuse(request, operation) && misuses.includes(response.status)) return;
    const described = operation.responses[response.status];
    if (!described)
      throw new UndescribedAnswerError(`${name}, which is not described: ${await textOf(response)}`);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const content = described.content[type] ?? described.content['*/*'];
    if (!content) throw new UndescribedAnswerError(`${name} as ${type}, which is not described`);
    if (type !== 'application/json' || !described.content[type]) return;
    const at = `${path?.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${response.status}`;
    const pointer = `api#/paths/${encodeURI(at)}/content/application~1json/schema`;
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
    if (validate(JSON.parse(await textOf(response)))) return;
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new UndescribedAnswerError(`${name} with another body:\n${problems.join('\n')}`);
  };
}

/** What the description means by its formats; an instant is in UTC. */
const formats = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['binary', /^/],
] as const;

/** What was accepted in a query is as described. Some routes ignore parameters that they do not know. */
function assertQuery(ajv: Ajv2020, url: string, { operationId, parameters = [] }: Json): void {
  for (const [name, text] of new URL(url).searchParams) {
    const parameter = parameters.find((one: Json) => one['in'] === 'query' && one['name'] === name);
    if (!parameter) continue;
    const value = ['integer', 'number'].includes(parameter.schema.type) ? Number(text) : text;
    if (!ajv.validate(parameter.schema, value))
      throw new UndescribedAnswerError(`${operationId} accepts ?${name}=${text}: ${ajv.errorsText()}`);
  }
}

/** What a request with a body is answered where none is described: the edge reads every body before a route is found. */
const misuses = [413, 415, 422];
const isMisuse = ({ headers }: Request, operation: Json) =>
  !operation['requestBody'] && headers.has('content-type');

/** The same app, whose every answer in process is held against its own description. */
export function checkAnswers(app: App): App {
  const handle = app.handle.bind(app);
  let check: AnswerCheck | undefined;
  return Object.assign(app, {
    handle: async (request: Request) => {
      // The body of a request is used up by then: only method, address and headers are looked at.
      const response = await handle(request);
      check ??= checkFor(app);
      await check(request, response);
      return response;
    },
  });
}

const checks = new Map<string, AnswerCheck>();

/** One check for all apps of this process that have the same routes: compiling the schemas takes a quarter of a second. */
function checkFor(app: App): AnswerCheck {
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`).join('\n');
  const check = checks.get(routes) ?? describedAnswers(descriptionOf(app));
  checks.set(routes, check);
  return check;
}

async function textOf(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer());
  const isCompressed = response.headers.get('content-encoding') === 'gzip';
  return new TextDecoder().decode(isCompressed ? Bun.gunzipSync(bytes) : bytes);
}
