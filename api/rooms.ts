import {
  emailChangeConfirm,
  emailChanged,
  phoneChangeCode,
  phoneChanged,
  welcome,
} from '#api/accounts/contact/messages.ts';
import { settleHeldBack } from '#api/accounts/email-confirmation.ts';
import { finishContactChanges } from '#api/accounts/process.ts';
import { announcementToOne, createWeeklyRecords, weeklyRecord } from '#api/announcements/messages.ts';
import type { Chore } from '#api/background/chores.ts';
import { checkpointOf, followerOf, type Process, type ProcessDeps } from '#api/background/process.ts';
import { sealFiles } from '#api/businesses/files/seal-files.ts';
import { settleAddresses } from '#api/businesses/process.ts';
import { sweepFiles } from '#api/businesses/stored-files.ts';
import type { RoomCheck } from '#api/cli/doctor/finding.ts';
import type { Deps } from '#api/deps.ts';
import {
  newJobMail,
  newJobSms,
  noLongerNeededMail,
  noLongerNeededSms,
  testAlertMail,
  testAlertSms,
  unopenedJobSms,
} from '#api/intake/answers/messages.ts';
import { requestAccepted, requestDeclined, requestReceipt } from '#api/intake/messages.ts';
import type { MessageKind } from '#api/outbox/message-kind.ts';
import { outboxProcess } from '#api/outbox/process.ts';
import type { ErasureDeps } from '#api/privacy/carry-out.ts';
import { isClockTrusted } from '#api/privacy/clock-trust.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { businessClosing, dataExported } from '#api/privacy/messages.ts';
import { erasures } from '#api/privacy/process.ts';
import { retainNightly } from '#api/privacy/retention/run.ts';
import {
  correctionAnsweredMail,
  correctionAskedMail,
  removalAskedMail,
  removalRefusedMail,
  removalReminder,
} from '#api/privacy/your-details/messages.ts';
import { followRequests } from '#api/privacy/your-details/removal-requests.ts';
import { attestations } from '#api/proof/commands/attestations.ts';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { finishRegistrations } from '#api/registration/process.ts';
import type { FollowingProcess } from '#projections/runtime/follow/checkpoint.ts';
import { passwordChanged, passwordGuessing, passwordReset } from './accounts/passwords/messages.ts';
import { demoConfirmation, demoRequestMail, smsCode } from './registration/messages.ts';

/** Every message the product sends. A row whose kind is not here waits for a process that knows it. */
export const messageKinds: readonly MessageKind[] = [
  smsCode,
  passwordReset,
  passwordChanged,
  passwordGuessing,
  dataExported,
  businessClosing,
  emailChangeConfirm,
  emailChanged,
  phoneChangeCode,
  phoneChanged,
  welcome,
  newJobMail,
  newJobSms,
  unopenedJobSms,
  requestReceipt,
  requestAccepted,
  requestDeclined,
  noLongerNeededMail,
  noLongerNeededSms,
  correctionAskedMail,
  removalAskedMail,
  removalRefusedMail,
  correctionAnsweredMail,
  removalReminder,
  demoRequestMail,
  demoConfirmation,
  testAlertMail,
  testAlertSms,
  announcementToOne,
  weeklyRecord,
];

export const outbox = outboxProcess(messageKinds);

/** Everything that follows the log and acts. */
export const processes: readonly Process[] = [
  outbox,
  finishRegistrations,
  finishContactChanges,
  settleAddresses,
  erasures,
];

/** By which it is read how far the processes have come, also where there is no log to follow yet. */
export const processNames = processes.map(checkpointOf);

/** The processes as followers of the log, for the worker that leads them, the read side and the commands. */
export function followingProcesses(deps: ProcessDeps): FollowingProcess[] {
  return processes.map((process) => followerOf(process, deps));
}

export type ChoreDeps = ProcessDeps &
  Pick<Deps, 'files' | 'subjectKeys'> &
  Readonly<{
    /** With what persons are forgotten. */
    erasing: ErasureDeps;
  }>;

/** Everything that the clock starts, one after the other; decision 060 says why held mail is no process. */
export function createChores(): readonly Chore<ChoreDeps>[] {
  return [
    { name: 'sweep-files', run: sweepFiles },
    { name: 'seal-files', run: sealFiles },
    { name: 'settle-held-back', run: settleHeldBack },
    { name: 'forget-drafts', run: forgetDrafts },
    { name: 'queue-weekly-records', run: createWeeklyRecords() },
    {
      name: 'follow-removal-requests',
      run: ({ db, messages, erasing }) => followRequests({ ...erasing, db, ...(messages && { messages }) }),
    },
    {
      name: 'retain-nightly',
      run: async ({ config, erasing }) =>
        (await isClockTrusted(erasing)) && retainNightly({ ...erasing, config }),
    },
  ];
}

/** Beside the others, which must not wait for it: a business with many jobs takes minutes. */
export const erasingChore: Chore<ChoreDeps> = {
  name: 'carry-out-erasures',
  run: async ({ erasing: deps }, signal) => (await isClockTrusted(deps)) && carryOutDue({ ...deps, signal }),
};

/** What rooms look at for `ute doctor`, beside what is of no room. */
export const checks: readonly RoomCheck[] = [attestations];
