import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Type, type } from 'arktype';
import { Elysia } from 'elysia';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '#api/app.ts';
import answers from '#api/http/openapi/answers.json' with { type: 'json' };
import { operation } from '#api/http/openapi/operation.ts';
import { answerSchemas } from '#tests/openapi/answer-schemas.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import {
  checkAnswers,
  describedAnswers,
  describedExamples,
  UndescribedAnswerError,
} from '#tests/support/app/described-answers.ts';
import { operations, recipes } from '#tests/support/operations/operations.ts';

type Content = { schema: object; example?: unknown };
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; description?: string; example?: unknown; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, Content> };
  responses: Record<string, { content: Record<string, Content> }>;
};

type Route = Readonly<{ method: string; path: string; hooks: { body?: Type; query?: Type } }>;

let app: TestApp;
let document: any;
let problemsOf: ReturnType<typeof describedExamples>;
beforeAll(async () => {
  app = await testApp();
  document = (await app.get('/api/openapi')).body;
  problemsOf = describedExamples(document);
});
afterAll(() => app?.close());

const ofApi = operations.filter((operation) => operation.includes(' /api/'));

function described(operation: string): Operation {
  const [method = '', path = ''] = operation.split(' ');
  return document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
}

describe('the description of the API', () => {
  test('is valid OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('has every operation of the inventory, in words', () => {
    for (const name of ofApi) {
      const operation = described(name);
      expect(operation, name).toMatchObject({
        tags: [expect.any(String)],
        summary: expect.stringMatching(/\w/),
      });
    }
  });

  test('has the errors of an operation and no others', () => {
    for (const name of ofApi) {
      const { responses, requestBody, parameters = [] } = described(name);
      const json = Boolean(requestBody?.content['application/json']);
      const hasQuery = parameters.some((parameter) => parameter.in === 'query');
      const statuses = Object.keys(responses).map(Number);
      expect(statuses, name).toEqual(expect.arrayContaining([200, 400, 429, 500, 503]));
      expect(statuses.includes(413), name).toBe(Boolean(requestBody));
      expect(statuses.includes(415), name).toBe(json);
      expect(statuses.includes(422), name).toBe(Boolean(requestBody) || hasQuery);
      if (name.includes(':')) expect(statuses, name).toContain(404);
      if (name.startsWith('GET ')) expect(statuses, name).not.toContain(409);
    }
    const slow = ofApi.filter((name) => described(name).responses[408]);
    expect(slow.sort()).toEqual([
      'POST /api/public-forms/:slug/media',
      'PUT /api/jobs/:id/photos/:photoId',
      'PUT /api/settings/branding',
    ]);
  });

  test('holds requests as JSON Schema has them, without what arktype alone reads', () => {
    for (const name of ofApi) {
      const { requestBody } = described(name);
      expect(JSON.stringify(requestBody ?? {}), name).not.toMatch(/\$ark|\$schema/);
    }
    // A body that may be null may be left out.
    expect(described('PUT /api/jobs/:id/accept').requestBody?.required).toBe(false);
    expect(described('POST /api/jobs').requestBody?.required).toBe(true);
  });

  test('has an example of each request and answer in JSON, as its schema says', () => {
    for (const name of ofApi) {
      const { requestBody, responses } = described(name);
      for (const part of [requestBody, responses['200'], responses['400']]) {
        const json = part?.content['application/json'];
        if (!json) continue;
        expect(json.example, name).toBeDefined();
        expect(problemsOf(json), name).toBe('');
      }
    }
  });

  test('has no example of a body or a query that its own route refuses', () => {
    const refused: string[] = [];
    for (const { method, path, hooks } of app.app.routes as readonly Route[]) {
      const name = `${method} ${path.replace(/(.)\/$/, '$1')}`;
      const operation = ofApi.some((one) => one === name) && described(name);
      if (!operation) continue;
      const body = operation.requestBody?.content['application/json']?.example;
      const asked = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const query = Object.fromEntries(asked.map((one) => [one.name, String(one.example)]));
      for (const [schema, example] of [
        [hooks.body, body],
        [hooks.query, query],
      ] as const) {
        const outcome = schema?.(example);
        if (outcome instanceof type.errors)
          refused.push(`${name} ${JSON.stringify(example)}: ${outcome.summary}`);
      }
    }
    expect(refused).toEqual([]);
  });

  test('says of every parameter what it is, with an example', () => {
    const wrong = ofApi.flatMap((name) =>
      (described(name).parameters ?? []).flatMap(({ name: parameter, description, example, schema }) => {
        const problem = description ? problemsOf({ schema, example }) : 'has no description';
        return problem === '' ? [] : `${parameter} of ${name}: ${problem}`;
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('has each number of a query as a number, within its bounds', () => {
    const { parameters = [] } = described('GET /api/jobs');
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    expect(schemas).toMatchObject({
      page: { type: 'integer', minimum: 1, maximum: 500, default: 1 },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 75 },
    });
  });

  test('says of the licence what package.json says', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(document.info.license).toEqual({ name: manifest.license });
  });

  test('repeats no operationId', () => {
    const ids = ofApi.map((name) => described(name).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('asks for a session where there is no answer without one', () => {
    for (const name of ofApi) {
      const { access } = recipes[name];
      const { security, responses } = described(name);
      const isSession = security.length === 1 && 'session' in (security[0] ?? {});
      expect(isSession, name).toBe(access === 'session');
      expect(security.length === 0, name).toBe(access === 'open');
      if (isSession) expect(Object.keys(responses), name).toContain('403');
    }
  });

  test('gives a client its types', async () => {
    const source = astToString(await openapiTS(document));
    expect(compiled(source)).toEqual([]);
    expect(source).toContain('acceptJob');
  });

  test('has the types that the handlers answer with (else run tests/openapi/write-answers.ts)', () => {
    const root = new URL('../../..', import.meta.url).pathname.replace(/\/$/, '');
    expect(answerSchemas(root)).toEqual(answers);
  }, 240_000);
});

describe('an answer that is not as described', () => {
  const request = new Request('http://localhost/api/registration/trades');
  const check = (response: Response) => describedAnswers(document)(request, response);

  test('is named with its operation and status', async () => {
    const problem = await check(Response.json({ status: 'ok' }, { status: 418 })).catch((error) => error);
    expect(problem).toBeInstanceOf(UndescribedAnswerError);
    expect(problem.message).toContain('GET /api/registration/trades (listTrades) answered 418');
  });

  test.each([
    ['less', { status: 'ok' }],
    ['more', { status: 'ok', trades: [], secret: 1 }],
    ['another type', { status: 'ok', trades: 'none' }],
  ])('is refused with %s in it', async (_name, body) => {
    await expect(check(Response.json(body))).rejects.toThrow(UndescribedAnswerError);
  });

  test('fails the test that asks an app for it', async () => {
    const other = new Elysia({ handler: { standardHostname: false } }).get(
      '/api/registration/trades',
      () => ({
        status: 'ok',
      }),
      { detail: operation('Registration', 'listTrades', 'Every trade', { access: 'open' }) },
    );
    const asked = checkAnswers(other as unknown as App).handle(request.clone());
    await expect(asked).rejects.toThrow(UndescribedAnswerError);
  });

  test('is refused as another content type', async () => {
    await expect(check(new Response('trades'))).rejects.toThrow('which is not described');
  });
});

/** What the compiler says of a file that stands alone. */
function compiled(source: string): string[] {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, lib: ['lib.es2022.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const file = ts.createSourceFile('client.ts', source, ts.ScriptTarget.ESNext);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === 'client.ts' ? file : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram(['client.ts'], options, host);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
}
