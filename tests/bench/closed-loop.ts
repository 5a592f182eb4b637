/** How many calls a second so many clients complete, each sending again as soon as it is answered. Throws when one fails. */
export async function closedLoop(
  { clients, seconds }: Readonly<{ clients: number; seconds: number }>,
  call: (client: number) => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1_000;
  let calls = 0;
  const run = async (client: number) => {
    while (performance.now() < end) {
      await call(client);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  return (calls * 1_000) / (performance.now() - start);
}
