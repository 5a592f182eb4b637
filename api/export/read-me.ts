import { instantWords } from '#core/values/time.ts';

/** What is in an archive, counted as it is written. */
export type ExportCounts = {
  jobs: number;
  withheld: number;
  events: number;
  scheduled: number;
  files: number;
  missingFiles: number;
};

const files = [
  ['jobs.csv', 'Every job in one line, for a spreadsheet: UTF-8, times in your zone.'],
  ['jobs.ndjson', 'The same jobs for programs: one JSON object in each line.'],
  [
    'events.ndjson',
    'Everything that happened, oldest first within a job: one event in each line, with its hash in the log.',
  ],
  ['schema/', 'What the data of each type of event looks like, as JSON Schema.'],
  ['schedule.ics', 'The scheduled jobs, for a calendar.'],
  ['files/', 'What customers sent and the photos of the work, in a folder for each job.'],
  ['business.json', 'Your name, your business, its area and its settings.'],
  ['checkpoint.txt', 'The newest signed line about the whole log, if there was one.'],
  ['manifest.json', 'What is in here: the size and the SHA-256 of each file.'],
] as const;

/** The page that says what is what in an export. It has no script and loads nothing. */
export function readMe(counts: ExportCounts, made: Date, timeZone: string): string {
  const rows = files
    .map(([name, what]) => `<tr><th scope="row">${name}</th><td>${what}</td></tr>`)
    .join('\n');
  const { jobs, events, files: stored, withheld, missingFiles } = counts;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your data</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}th{text-align:left;padding-right:1rem;vertical-align:top;white-space:nowrap}</style>
<h1>Your data</h1>
<p>Made on ${instantWords(made.toISOString(), timeZone)}: ${count(jobs, 'job')}, ${count(events, 'event')}, ${count(stored, 'file')}.</p>
<table>
${rows}
</table>
<h2>What is not in here</h2>
<ul>
<li>Jobs that came after the download began.</li>
<li>Email and phone of customers whose job you have not accepted, and what was removed at a customer's request. Jobs without contact: ${withheld}.</li>${
    missingFiles > 0 ? `\n<li>Files that could not be found: ${missingFiles}.</li>` : ''
  }
</ul>
</html>
`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
