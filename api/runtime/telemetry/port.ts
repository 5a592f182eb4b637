import type { EventStore, Position, RecordedEvent } from '#core/event-store/port.ts';

/** How a request was answered. `route` is the template, never the path. */
export type AnsweredRequest = Readonly<{
  method: string;
  route: string;
  status: number;
  business: string | undefined;
}>;

/** What a span of a batch says of it. */
export type TracedBatch = Readonly<{
  projection: string;
  version: number;
  /** `live`, or that of the tables that are built beside them. */
  build: string;
  from: Position;
  to: Position;
  events: readonly RecordedEvent[];
}>;

/** What a span of a message says of it: ids alone. */
export type TracedMessage = Readonly<{
  id: string;
  kind: string;
  businessId: string | null;
  jobId: string | null;
  attempts: number;
}>;

/** Who takes mail or SMS. */
type Provider = Readonly<{ name: string; send(...args: never[]): Promise<unknown> }>;

/** Spans of requests: what is done between `around` and its end is found below the span that `began` opens. */
export type RequestSpans = Readonly<{
  /** Runs the whole handling of a request. */
  around<T>(handle: () => T): T;
  /** The request has its id, which is also that of its trace. */
  began(request: Request, id: string): void;
  ended(request: Request, answered: AnsweredRequest): void;
}>;

/** Spans of what this process does. They hold ids, route templates, kinds and numbers, and nothing that people wrote. */
export type Telemetry = Readonly<{
  requests: RequestSpans;
  /** The same store; each command and each append is a span. */
  traceStore(store: EventStore): EventStore;
  /** The same provider; each try to send is a span. */
  traceProvider<P extends Provider>(provider: P): P;
  aroundBatch<T>(batch: TracedBatch, apply: () => Promise<T>): Promise<T>;
  aroundMessage<T>(message: TracedMessage, deliver: () => Promise<T>): Promise<T>;
  /** Sends what is left, for three seconds at most. */
  stop(): Promise<void>;
}>;
