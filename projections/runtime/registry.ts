import { accounts } from '#projections/accounts/projection.ts';
import { heldJobs } from '#projections/held-jobs/projection.ts';
import { jobCards } from '#projections/job-cards/projection.ts';
import { jobDetails } from '#projections/job-details/projection.ts';
import { publicForm } from '#projections/public-form/projection.ts';
import type { Projection } from './projection.ts';

/** Every projection there is. */
export const projections: readonly Projection[] = [jobCards, jobDetails, heldJobs, accounts, publicForm];
