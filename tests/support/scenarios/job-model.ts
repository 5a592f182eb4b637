import type { JobCommand } from '#core/job/job.ts';
import type { WorkingStatus } from '#core/job/status/statuses.ts';
import type { UndoJobChange } from '#core/job/undo/undo.ts';

/** What a command does to the model: changed it, found nothing to do, or was refused. */
export type Outcome = 'changed' | 'same' | 'refused';

const fieldOf = { status: 'status', schedule: 'scheduledAt', notes: 'notes' } as const;
type Part = keyof typeof fieldOf;
const parts = Object.keys(fieldOf) as Part[];

type Values = Readonly<{ status: string; scheduledAt: string | null; notes: string }>;
/** One event: which parts it touched, what was there before (null for the first), which revision it took back. */
type Step = Readonly<{ touched: readonly Part[]; before: Values | null; undid?: number }>;

/** A job as the specification's prose has it, written without a look at the decider: the oracle of property tests. */
export class JobModel {
  owner: string | null = null;
  status = 'none';
  scheduledAt: string | null = null;
  notes = '';
  steps: readonly Step[] = [];
  private origin = '';
  private opened = false;
  private notNeeded = false;
  private reason: string | null = null;
  private planned: string | null = null;
  private erased = false;
  private dispute: string | null = null;
  private corrections: readonly string[] = [];
  /** By the revision at which a correction was asked for, the answer to it. */
  private answers: Readonly<Record<number, string | null>> = {};
  /** The name to which the details were corrected. */
  private corrected: string | null = null;
  private removalAsked = false;
  private keptUntil: string | null = null;
  /** What is said of each photo; null once it is removed. */
  photos: Readonly<Record<string, string | null>> = {};

  /** Gives the command to the model. */
  run(command: JobCommand): Outcome {
    const before = { ...this };
    const outcome = this.obey(command);
    const since = 'ifUnchangedSince' in command.data ? command.data.ifUnchangedSince : undefined;
    if (outcome !== 'changed' || since === undefined) return outcome;
    const meanwhile = before.steps.slice(since + 1).flatMap(({ touched }) => touched);
    const own = this.steps.slice(before.steps.length).flatMap(({ touched }) => touched);
    if (!own.some((part) => meanwhile.includes(part))) return outcome;
    Object.assign(this, before);
    return 'refused';
  }

  private obey({ type, data, at }: JobCommand): Outcome {
    if (type === 'RequestJob') return this.create(type, data.businessId, 'Pending', null, '');
    if (type === 'ReceiveWorkOrder')
      return this.create(type, data.businessId, 'Pending', data.scheduledAt, '');
    if (type === 'AddJob')
      return this.create('RequestJob', data.businessId, 'To quote', data.scheduledAt, data.notes);
    if (this.owner !== data.businessId) return 'refused';
    const waits = this.status === 'Pending';
    const turnedDown = this.status === 'Rejected';
    if ('onlyWhilePending' in data && data.onlyWhilePending && (!waits || this.notNeeded)) return 'refused';
    if (type === 'AcceptJob') return waits || turnedDown ? this.move('To quote') : 'same';
    if (type === 'RejectJob') return waits ? this.move('Rejected') : turnedDown ? 'same' : 'refused';
    if (type === 'ExplainRejection') {
      if (this.erased || !turnedDown) return 'refused';
      if (this.reason === data.reason) return 'same';
      this.reason = data.reason;
      return this.step();
    }
    if (type === 'ChangeJobNotes') return this.erased ? 'refused' : this.note(data.notes);
    if (type === 'OpenCustomerMessage') {
      const isWithheld = waits || turnedDown || this.erased || this.planned !== null;
      return isWithheld ? 'refused' : this.step();
    }
    if (type === 'RemoveJobPhoto') {
      const known = this.photos[data.photoId];
      if (this.erased || known === undefined) return 'refused';
      return known === null ? 'same' : this.photograph(data.photoId, null);
    }
    if (type === 'AddJobPhoto' || type === 'DescribeJobPhoto') {
      const { photoId, stage, caption } = data;
      const said = `${stage} ${caption}`;
      const known = this.photos[photoId] ?? null;
      if (this.erased || waits || turnedDown) return 'refused';
      if (type === 'AddJobPhoto') return known === null ? this.photograph(photoId, said) : 'same';
      if (known === null) return 'refused';
      return known === said ? 'same' : this.photograph(photoId, said);
    }
    if (type === 'OpenJobDispute') return this.disagree(data);
    if (type === 'CloseJobDispute') return this.dispute === null ? 'same' : this.disagree(null);
    if (type === 'AskForCorrection') return this.correct(data.text.trim());
    if (type === 'AnswerCorrection') return this.answer(data);
    if (type === 'CorrectDetails') {
      const isHidden = waits || turnedDown || this.planned !== null;
      if (this.erased || this.answers[data.asked] === undefined || isHidden) return 'refused';
      const isNews = this.corrected !== data.name;
      if (isNews) this.step();
      this.corrected = data.name;
      const answered = this.answer({ asked: data.asked, answer: 'agreed' });
      return isNews ? 'changed' : answered;
    }
    if (type === 'AskForRemoval') {
      if (this.erased || this.planned !== null || this.removalAsked) return 'same';
      return this.isKept(at) && !waits && !turnedDown ? 'refused' : this.once('removalAsked');
    }
    if (type === 'RefuseRemoval') {
      if (this.erased) return 'refused';
      if (!this.removalAsked && (this.isKept(at) || this.keptUntil === data.until)) return 'same';
      if (!this.removalAsked || waits || turnedDown) return 'refused';
      Object.assign(this, { removalAsked: false, keptUntil: data.until });
      return this.step();
    }
    if (type === 'PlanCustomerErasure')
      return this.plan(data.erasureId, !this.erased && this.planned === null);
    if (type === 'CancelCustomerErasure') return this.plan(null, this.planned === data.erasureId);
    if (type === 'EraseCustomer') return this.erase();
    if (type === 'OpenJob') return waits ? this.once('opened') : 'same';
    if (type === 'SayJobNoLongerNeeded') return this.once('notNeeded');
    if (type === 'UndoJobChange') return this.undo(data);
    if (type === 'ChangeJobStatus') {
      if (turnedDown && data.status !== 'To quote') this.move('To quote');
      return waits ? 'refused' : this.move(data.status);
    }
    if (type === 'ScheduleJob')
      return this.schedule(data.scheduledAt, waits || turnedDown || this.status === 'Unsuccessful');
    throw new Error(`${type} is not in the model`);
  }

  private schedule(scheduledAt: string | null, isClosed: boolean): Outcome {
    if (scheduledAt === this.scheduledAt) return 'same';
    if (isClosed) return 'refused';
    this.step('schedule');
    this.scheduledAt = scheduledAt;
    return 'changed';
  }

  private create(
    origin: string,
    owner: string,
    status: string,
    scheduledAt: string | null,
    notes: string,
  ): Outcome {
    if (this.owner !== null)
      return this.owner === owner && this.origin === origin && !this.erased ? 'same' : 'refused';
    Object.assign(this, { owner, origin, status, scheduledAt, notes });
    this.steps = [{ touched: [], before: null }];
    return 'changed';
  }

  private move(status: WorkingStatus | 'Rejected'): Outcome {
    if (this.status === status) return 'same';
    this.step('status', ...(status === 'Unsuccessful' ? (['schedule'] as const) : []));
    this.status = status;
    if (status === 'Unsuccessful') this.scheduledAt = null;
    if (status === 'Rejected' || status === 'To quote') this.opened = true;
    return 'changed';
  }

  private once(what: 'opened' | 'notNeeded' | 'removalAsked'): Outcome {
    if (this[what]) return 'same';
    this[what] = true;
    return this.step();
  }

  private note(notes: string): Outcome {
    if (this.notes === notes) return 'same';
    this.step('notes');
    this.notes = notes;
    return 'changed';
  }

  private photograph(photoId: string, said: string | null): Outcome {
    this.photos = { ...this.photos, [photoId]: said };
    return this.step();
  }

  private plan(erasureId: string | null, isNews: boolean): Outcome {
    if (!isNews) return 'same';
    this.planned = erasureId;
    if (erasureId === null) this.removalAsked = false;
    return this.step();
  }

  /** Until some day after 5 November 2026, on which all commands come, and within a year of it. */
  private disagree(about: Readonly<{ until: string; reason: string }> | null): Outcome {
    const isWrong =
      about && (about.until < '2026-11-06' || about.until > '2027-11-06' || about.reason.length > 300);
    if (about && (this.erased || isWrong)) return 'refused';
    const dispute = about && `${about.until} ${about.reason}`;
    if (dispute === this.dispute) return 'same';
    this.dispute = dispute;
    return this.step();
  }

  private correct(text: string): Outcome {
    if (this.erased || text.length < 1 || text.length > 500) return 'refused';
    if (this.corrections.includes(text)) return 'same';
    if (this.planned !== null || this.corrections.length === 10) return 'refused';
    this.corrections = [...this.corrections, text];
    const outcome = this.step();
    this.answers = { ...this.answers, [this.steps.length - 1]: null };
    return outcome;
  }

  private isKept(at: string): boolean {
    return this.keptUntil !== null && this.keptUntil > at;
  }

  private answer({ asked, answer }: Readonly<{ asked: number; answer: string }>): Outcome {
    if (this.erased || this.answers[asked] === undefined) return 'refused';
    if (this.answers[asked] === answer) return 'same';
    this.answers = { ...this.answers, [asked]: answer };
    return this.step();
  }

  private erase(): Outcome {
    if (this.erased) return 'same';
    this.step();
    Object.assign(this, { erased: true, planned: null, dispute: null, notes: '[erased]', photos: {} });
    return 'changed';
  }

  /** What two or more events did goes back together; only what is still as they left it can go back. */
  private undo({ first, last, only }: UndoJobChange['data']): Outcome {
    if (this.steps.some(({ undid }) => undid === last)) return 'same';
    const range = this.steps.slice(first, last + 1).filter(({ undid }) => undid === undefined);
    const asked = only === undefined ? parts : [only];
    const mine = asked.filter((part) => range.some(({ touched }) => touched.includes(part)));
    const before = this.steps[first]?.before;
    if (!before || last >= this.steps.length || mine.length === 0) return 'refused';
    if (this.erased && mine.includes('notes')) return 'refused';
    const since = this.steps.slice(last + 1).flatMap(({ touched }) => touched);
    if (mine.some((part) => since.includes(part))) return 'refused';
    const wasOff = ['Pending', 'Rejected', 'Unsuccessful'].includes(before.status);
    const isOff = ['Pending', 'Rejected', 'Unsuccessful'].includes(this.status);
    if (mine.includes('status') && wasOff && !isOff && since.includes('schedule')) return 'refused';
    const going = parts.filter(
      (part) => mine.includes(part) && this[fieldOf[part]] !== before[fieldOf[part]],
    );
    for (const part of going) {
      this.step(part, { undid: last });
      Object.assign(this, { [fieldOf[part]]: before[fieldOf[part]] });
    }
    return going.length > 0 ? 'changed' : 'same';
  }

  private step(...what: readonly (Part | Pick<Step, 'undid'>)[]): Outcome {
    const { status, scheduledAt, notes } = this;
    const touched = what.filter((one) => typeof one === 'string');
    const undo = what.find((one) => typeof one !== 'string');
    if (touched.includes('status')) this.reason = null;
    this.steps = [...this.steps, { touched, before: { status, scheduledAt, notes }, ...undo }];
    return 'changed';
  }
}
