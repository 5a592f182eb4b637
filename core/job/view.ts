import type { Answer, ConsumerField, JobLocation } from './events.ts';
import type { JobStatus } from './statuses.ts';

export type JobType = 'Consumer' | 'WorkOrder';

/** Everything the business knows of a job, contact included. Never leaves the server: `jobView` does. */
export type JobFacts = Readonly<{
  id: string;
  businessId: string;
  type: JobType;
  status: JobStatus;
  title: string;
  isUrgent: boolean;
  scheduledAt: string | null;
  createdAt: string;
  name: string;
  email: string;
  phone: string;
  notes: string;
  description: string;
  wishedTime: string;
  location: JobLocation;
  answers: readonly Answer[];
  media: readonly { id: string; name: string; mime: string; bytes: number }[];
  /** Revision of the last event of the stream that is in here. */
  revision: number;
}>;

/** A job as the tradie may see it: `email` and `phone` are absent while it is Pending or Rejected. */
export type JobView = Readonly<{
  id: string;
  type: JobType;
  status: JobStatus;
  title: string;
  isUrgent: boolean;
  scheduledAt: string | null;
  createdAt: string;
  name: string;
  email?: string;
  phone?: string;
  notes: string;
  location: JobLocation;
  media: readonly { url: string; name: string; mime: string }[];
  form: readonly Answer[];
  consumerJobDetails:
    | (Partial<Record<ConsumerField, string>> & { description: string; wishedTime: string })
    | null;
  workOrderDetails: { description: string } | null;
  revision: number;
}>;

/** A row of a list: what a card shows. Contact as in `JobView`. */
export type JobCardView = Readonly<
  Pick<
    JobView,
    | 'id'
    | 'type'
    | 'status'
    | 'title'
    | 'isUrgent'
    | 'scheduledAt'
    | 'createdAt'
    | 'name'
    | 'email'
    | 'phone'
    | 'revision'
  > & { location: JobLocation }
>;
