/** What a provider was asked, and a way to say what it answers next. */
export type ProviderServer = Readonly<{
  url: string;
  requests: readonly Readonly<{
    method: string;
    path: string;
    query: Record<string, string>;
    headers: Headers;
    body: any;
  }>[];
  stop(): Promise<void>;
}>;

/** A real server on this machine that speaks a provider's protocol through `answer`. */
export function providerServer(
  answer: (request: Request, url: URL) => Response | Promise<Response>,
): ProviderServer {
  const requests: ProviderServer['requests'][number][] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const url = new URL(request.url);
      const body = request.method === 'POST' ? await bodyOf(request.clone()) : null;
      const { method, headers } = request;
      requests.push({
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body,
      });
      return answer(request, url);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}

/** JSON as what it says, a form as its fields. */
async function bodyOf(request: Request): Promise<unknown> {
  const isForm = request.headers.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? Object.fromEntries(new URLSearchParams(await request.text())) : request.json();
}
