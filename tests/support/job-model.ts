import type { JobCommand } from '#core/job/commands.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';

/** What a command does to the model: changed it, found nothing to do, or was refused. */
export type Outcome = 'changed' | 'same' | 'refused';

/** A job as the specification's prose has it, written without a look at the decider: the oracle of property tests. */
export class JobModel {
  owner: string | null = null;
  status = 'none';
  scheduledAt: string | null = null;
  notes = '';
  private origin = '';
  private opened = false;
  private notNeeded = false;

  /** Gives the command to the model. */
  run({ type, data }: JobCommand): Outcome {
    if (type === 'RequestJob') return this.create(type, data.businessId, 'Pending', null, '');
    if (type === 'ReceiveWorkOrder')
      return this.create(type, data.businessId, 'Pending', data.scheduledAt, '');
    if (type === 'AddJob')
      return this.create('RequestJob', data.businessId, 'To quote', data.scheduledAt, data.notes);
    if (this.owner !== data.businessId) return 'refused';
    const waits = this.status === 'Pending';
    const turnedDown = this.status === 'Rejected';
    if (type === 'AcceptJob') return waits || turnedDown ? this.move('To quote') : 'same';
    if (type === 'RejectJob') return waits ? this.move('Rejected') : turnedDown ? 'same' : 'refused';
    if (type === 'ChangeJobNotes') return this.note(data.notes);
    if (type === 'OpenCustomerMessage') return waits || turnedDown ? 'refused' : 'changed';
    if (type === 'OpenJob') return waits ? this.once('opened') : 'same';
    if (type === 'SayJobNoLongerNeeded') return this.once('notNeeded');
    if (type === 'ChangeJobStatus') return waits ? 'refused' : this.move(data.status);
    if (data.scheduledAt === this.scheduledAt) return 'same';
    if (waits || turnedDown || this.status === 'Unsuccessful') return 'refused';
    this.scheduledAt = data.scheduledAt;
    return 'changed';
  }

  private create(
    origin: string,
    owner: string,
    status: string,
    scheduledAt: string | null,
    notes: string,
  ): Outcome {
    if (this.owner !== null) return this.owner === owner && this.origin === origin ? 'same' : 'refused';
    Object.assign(this, { owner, origin, status, scheduledAt, notes });
    return 'changed';
  }

  private move(status: WorkingStatus | 'Rejected'): Outcome {
    if (this.status === status) return 'same';
    this.status = status;
    if (status === 'Unsuccessful') this.scheduledAt = null;
    return 'changed';
  }

  private once(what: 'opened' | 'notNeeded'): Outcome {
    if (this[what]) return 'same';
    this[what] = true;
    return 'changed';
  }

  private note(notes: string): Outcome {
    if (this.notes === notes) return 'same';
    this.notes = notes;
    return 'changed';
  }
}
