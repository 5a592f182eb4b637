import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EventStore, RecordedEvent } from '#core/event-store/port.ts';
import { DomainError } from '#core/kernel/errors.ts';
import type { Telemetry } from './port.ts';

/** The ids of a root span. */
export type RootIds = Readonly<{ traceId: string; spanId: string }>;

/** Runs what starts one span, which gets these ids. */
type WithIds = (ids: RootIds, start: () => Span) => Span;

/** Ids that one span lists at most. */
const MOST = 20;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Makes the spans of a process. A request's span opens its trace, which has the request's id; commands and appends lie below
 * it. A batch of a projection is a trace of its own, linked to the requests whose events it applies.
 */
export function createSpans(tracer: Tracer, withIds: WithIds): Omit<Telemetry, 'stop'> {
  /** A holder, because a request has no id yet when its handling begins. */
  const running = new AsyncLocalStorage<{ context: Context }>();
  const requests = new WeakMap<Request, Span>();
  const current = () => running.getStore()?.context ?? ROOT_CONTEXT;

  async function inSpan<T>(
    name: string,
    { root = false, ...options }: SpanOptions,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const parent = root ? ROOT_CONTEXT : current();
    const span = tracer.startSpan(name, options, parent);
    try {
      return await running.run({ context: trace.setSpan(parent, span) }, () => work(span));
    } catch (error) {
      span.setAttribute('error.type', nameOf(error));
      // A refusal is an answer as good as another.
      if (!(error instanceof DomainError)) span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    requests: {
      around: (handle) => running.run({ context: ROOT_CONTEXT }, handle),
      began(request, id) {
        const links = linkOf(request.headers.get('traceparent'));
        const start = () =>
          tracer.startSpan(
            'request',
            { kind: SpanKind.SERVER, links, attributes: { 'ute.request.id': id } },
            ROOT_CONTEXT,
          );
        const ids = idsOf(id);
        const span = ids ? withIds(ids, start) : start();
        requests.set(request, span);
        const holder = running.getStore();
        if (holder) holder.context = trace.setSpan(ROOT_CONTEXT, span);
      },
      ended(request, { method, route, status, business }) {
        const span = requests.get(request);
        if (!span) return;
        const known = methods.includes(method) ? method : '_OTHER';
        span.updateName(`${known} ${route}`);
        span.setAttributes({
          'http.request.method': known,
          'http.route': route,
          'http.response.status_code': status,
          ...(business === undefined ? {} : { 'ute.business.id': business }),
        });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    },
    traceStore: (store) => traced(store, inSpan),
    traceProvider: (provider) => ({
      ...provider,
      send: (...args: never[]) =>
        inSpan('send', { kind: SpanKind.CLIENT, attributes: { 'ute.provider': provider.name } }, () =>
          provider.send(...args),
        ),
    }),
    aroundBatch({ projection, version, build, from, to, events }, apply) {
      const attributes = {
        'ute.projection': projection,
        'ute.projection.version': version,
        'ute.projection.build': build,
        'ute.position.from': from,
        'ute.position.to': to,
        'ute.events': events.length,
      };
      return inSpan(`batch ${projection}`, { root: true, attributes, links: linksOf(events) }, apply);
    },
    aroundMessage({ id, kind, businessId, jobId, attempts }, deliver) {
      const attributes: Attributes = {
        'ute.message.id': id,
        'ute.message.kind': kind,
        'ute.message.attempts': attempts,
        ...(businessId === null ? {} : { 'ute.business.id': businessId }),
        ...(jobId === null ? {} : { 'ute.job.id': jobId }),
      };
      return inSpan(`message ${kind}`, { root: true, kind: SpanKind.PRODUCER, attributes }, deliver);
    },
  };
}

type InSpan = <T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>) => Promise<T>;

function traced(store: EventStore, inSpan: InSpan): EventStore {
  return {
    ...store,
    append(stream, expected, events, context) {
      const attributes = {
        'ute.stream': stream,
        'ute.event.ids': events.slice(0, MOST).map(({ id }) => id),
        'ute.event.types': events.slice(0, MOST).map(({ event }) => event.type),
        'ute.command.id': context.causation,
        'ute.request.id': context.correlation,
      };
      return inSpan('append', { kind: SpanKind.CLIENT, attributes }, async (span) => {
        const appended = await store.append(stream, expected, events, context);
        span.setAttributes({ 'ute.revision': appended.revision, 'ute.position': appended.position });
        return appended;
      });
    },
    aroundCommand({ type, id, stream }, handle) {
      const attributes = { 'ute.command.type': type, 'ute.command.id': id, 'ute.stream': stream };
      return inSpan(`command ${type}`, { attributes }, handle);
    },
  };
}

/** The requests that these events come from, each once: their traces have their ids. */
function linksOf(events: readonly RecordedEvent[]): Link[] {
  const links = new Map<string, Link>();
  for (const { metadata } of events) {
    if (links.size === MOST) break;
    const ids = idsOf(metadata.correlation);
    if (ids) links.set(ids.traceId, { context: { ...ids, traceFlags: 0 } });
  }
  return [...links.values()];
}

/** What a caller names is linked to and never followed: it decides neither the ids nor whether a trace is recorded. */
function linkOf(traceparent: string | null): Link[] {
  const [, traceId = '', spanId = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '') ?? [];
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return [];
  return [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }];
}

/** The ids of the span of a request: its UUID, and the random half of it. Null for what is no UUID, such as `seed`. */
function idsOf(requestId: string): RootIds | null {
  const traceId = requestId.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{12}7[0-9a-f]{19}$/.test(traceId) ? { traceId, spanId: traceId.slice(16) } : null;
}

/** The name of an error's class: its message may repeat what a person sent. */
function nameOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return /^\w{1,60}$/.test(name) ? name : 'Error';
}
