import { jobsProjection } from '#projections/jobs/projection.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild, sideBuild } from '#projections/runtime/build.ts';

/** The tables that the bare SQL of this release reads, quoted, with their schema. */
export const cardsTable = liveBuild(jobsProjection).table('jobs');
export const countsTable = liveBuild(jobsProjection).table('job_counts');

/** All that a rebuild of everything writes, in its order. */
export const rebuiltTables = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => liveBuild(projection).table(name)),
);

/** The checkpoint of a rebuild of the cards, while one is running. */
export const rebuildKey = sideBuild(jobsProjection, 'next').key;
