import { accounts } from '#projections/accounts/projection.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { publicForm } from '#projections/public-form/projection.ts';
import type { Projection } from './runtime/projection.ts';

/** Every projection there is. */
export const projections: readonly Projection[] = [jobsProjection, accounts, publicForm];
