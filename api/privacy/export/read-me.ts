import { instantWords } from '#core/values/time.ts';

/** What is in an archive, counted as it is written. */
export type ExportCounts = {
  jobs: number;
  withheld: number;
  events: number;
  scheduled: number;
  files: number;
  missingFiles: number;
  records: number;
  /** Of jobs that are done, but nothing signed them, or one of their events cannot be read. */
  missingRecords: number;
};

const files = [
  ['jobs.csv', 'Every job in one line, for a spreadsheet: UTF-8, times in your zone.'],
  ['jobs.ndjson', 'The same jobs for programs: one JSON object in each line.'],
  [
    'events.ndjson',
    'Everything that happened, oldest first within a job: one event in each line, with its hash in the log.',
  ],
  ['schema/', 'What a job and the data of each type of event look like, as JSON Schema.'],
  ['schedule.ics', 'The scheduled jobs, for a calendar.'],
  ['files/', 'What customers sent and the photos of the work, in a folder for each job.'],
  [
    'records/',
    'The history of each finished job, signed, so that a reader can check that it was not changed since.',
  ],
  ['business.json', 'Your name, your business, its area and its settings.'],
  ['checkpoint.txt', 'The newest signed line about the whole log, if there was one.'],
  ['manifest.json', 'What is in here: the size and the SHA-256 of each file.'],
] as const;

const accountFiles = [
  ['account.json', 'Your name and contact details, your notification settings, and where you are signed in.'],
  ['events.ndjson', 'What happened to your account: one event in each line, with its hash in the log.'],
  ['schema/', 'What the data of each type of event looks like, as JSON Schema.'],
  ['manifest.json', 'What is in here: the size and the SHA-256 of each file.'],
] as const;

/** The page that says what is what in an export. */
export function readMe(
  counts: ExportCounts,
  { made, timeZone, checkPage }: Readonly<{ made: Date; timeZone: string; checkPage: string }>,
): string {
  const { jobs, events, files: stored, records, withheld, missingFiles, missingRecords } = counts;
  return page(
    files,
    [
      `Made on ${instantWords(made.toISOString(), timeZone)}: ${count(jobs, 'job')}, ${count(events, 'event')}, ${count(stored, 'file')}, ${count(records, 'signed record')}.`,
      ...(records > 0
        ? [`To check a record, open <a href="${checkPage}">${checkPage}</a> and drop the file on it.`]
        : []),
    ],
    [
      'Jobs that came after the download began.',
      'Signed records of jobs with work ahead: the page of a job makes one, under "Job record".',
      ...(missingRecords > 0
        ? [
            `Signed records of ${count(missingRecords, 'finished job')}: they could not be made just now. Download again later, or make one on the page of a job.`,
          ]
        : []),
      `Email and phone of customers whose job you have not accepted, and what was removed at a customer's request. Jobs without contact: ${withheld}.`,
      ...(missingFiles > 0 ? [`Files that could not be found: ${missingFiles}.`] : []),
    ],
  );
}

/** The same of what is stored about an account. */
export function accountReadMe(events: number, made: Date, timeZone: string): string {
  return page(
    accountFiles,
    [`Made on ${instantWords(made.toISOString(), timeZone)}: ${count(events, 'event')} of your account.`],
    [
      'Jobs, customers and their files: those are in "Download everything".',
      'Your password, which is stored as a hash that it cannot be read from.',
    ],
  );
}

/** It has no script and loads nothing. */
function page(
  listed: readonly (readonly [name: string, what: string])[],
  paragraphs: readonly string[],
  missing: readonly string[],
): string {
  const rows = listed
    .map(([name, what]) => `<tr><th scope="row">${name}</th><td>${what}</td></tr>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your data</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}th{text-align:left;padding-right:1rem;vertical-align:top;white-space:nowrap}</style>
<h1>Your data</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}
<table>
${rows}
</table>
<h2>What is not in here</h2>
<ul>
${missing.map((text) => `<li>${text}</li>`).join('\n')}
</ul>
</html>
`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
