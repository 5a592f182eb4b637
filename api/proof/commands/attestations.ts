import type { Outcome, RoomCheck } from '#api/cli/doctor/finding.ts';
import { counted } from '#api/cli/report.ts';
import { attestersOf } from '#api/proof/attestations/attesters.ts';
import { readUnattested } from '#api/proof/read.ts';

/** After how long without it a witness's signature, and the time stamp of the day, are overdue, in milliseconds. */
const OVERDUE_AFTER: Readonly<Record<string, number>> = { witness: 3_600_000, 'time stamp': 2 * 86_400_000 };

/** Whether all attest to checkpoints who are asked to. */
export const attestations: RoomCheck = {
  name: 'attestations',
  async look({ db, config, now }) {
    const asked = attestersOf(config.proof);
    if (asked.length === 0) return ['ok', 'neither a witness nor a time stamp authority is asked'];
    const unattested = await readUnattested(
      db,
      asked.map(({ source }) => source),
    );
    const late = unattested.flatMap(({ source, at, since }): Outcome[] => {
      const { name = '' } = asked.find((one) => one.source === source) ?? {};
      if (since === null || now().getTime() - since.getTime() < (OVERDUE_AFTER[name] ?? 0)) return [];
      const last = at ? `nothing since ${at.toISOString()}` : 'nothing yet';
      return [['warning', `${name} ${source}: ${last}, attestation-failed in the log says why`]];
    });
    return late.length > 0
      ? late
      : ['ok', `${counted(asked.length, 'party attests', 'parties attest')} to checkpoints`];
  },
};
