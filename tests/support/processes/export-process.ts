import '#core/kernel/schema-settings.ts';
import { withSystem } from '#api/cli/system.ts';
import { type ExportDeps, exportArchive } from '#api/privacy/export/contents.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { jobTables } from '#projections/jobs/table.ts';

/**
 * Exports the smallest business of the installation, which loads what every export needs, and then the largest one. Prints as JSON how
 * many jobs that has, the bytes and entries of the archive, by how many bytes the process grew meanwhile at most, and the seconds that it
 * took, on the clock and of the processor.
 */
await withSystem(async (system) => {
  const { store, pool } = system;
  const deps: ExportDeps = { ...system, rowsOf: () => pool };
  const { rows } = await pool.query<{ businessId: string; accountId: string; jobs: number }>(
    `select business_id as "businessId", account_id as "accountId", count(*)::int as jobs
     from ${jobTables.jobs} join ${accountTables.accounts} using (business_id) group by 1, 2 order by 3`,
  );
  const [small, large] = [rows[0], rows.at(-1)];
  if (!small || !large) throw new Error('There is no business.');
  async function bytesOf({ businessId, accountId }: typeof large & {}): Promise<number> {
    const whose = {
      businessId,
      accountId,
      timeZone: 'Australia/Melbourne',
      region: 'au' as const,
      from: await store.head(),
    };
    let bytes = 0;
    for await (const piece of exportArchive(deps, whose)) {
      bytes += piece.byteLength;
      entries = piece.length === 22 ? Buffer.from(piece).readUInt16LE(10) : entries;
    }
    return bytes;
  }
  let entries = 0;
  await bytesOf(small);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const [used, since] = [process.cpuUsage(), performance.now()];
  const bytes = await bytesOf(large);
  clearInterval(watching);
  const { user, system: kernel } = process.cpuUsage(used);
  const cost = { seconds: (performance.now() - since) / 1_000, processor: (user + kernel) / 1e6 };
  console.log(JSON.stringify({ jobs: large.jobs, bytes, entries, growth: most - before, ...cost }));
  return true;
});
