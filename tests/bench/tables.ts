import { jobCards } from '#projections/jobs/projection.ts';
import { liveBuild, sideBuild } from '#projections/runtime/build.ts';

/** The tables that the bare SQL of this release reads, quoted, with their schema. */
export const cardsTable = liveBuild(jobCards).table('job_cards');
export const countsTable = liveBuild(jobCards).table('job_counts');
export const searchTable = liveBuild(jobCards).table('job_search');

/** All that a rebuild of the cards writes, in its order. */
export const rebuiltTables = jobCards.tables.map((table) => liveBuild(jobCards).table(table));

/** The checkpoint of a rebuild of the cards, while one is running. */
export const rebuildKey = sideBuild(jobCards, 'next').key;
