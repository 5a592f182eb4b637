const WIDTH = 24;
/** A terminal is redrawn no more often than this, in milliseconds. */
const REDRAW = 100;

export type Progress = (what: string, done: number, of: number) => void;

type Output = Readonly<{ isTTY?: boolean; write(text: string): unknown }>;

/** Shows how far something is: a bar and an estimate on a terminal, a plain line at each tenth in a pipe. */
export function createProgress(output: Output = process.stdout, now = () => performance.now()): Progress {
  let shown = { what: '', tenth: 0, began: 0, drawn: Number.NEGATIVE_INFINITY };
  return (what, done, of) => {
    if (what !== shown.what) shown = { what, tenth: 0, began: now(), drawn: Number.NEGATIVE_INFINITY };
    const share = of === 0 ? 1 : Math.min(1, done / of);
    const tenth = Math.floor(share * 10);
    const isOver = share === 1;
    if (!output.isTTY) {
      if (tenth > shown.tenth) output.write(`${what}: ${done} of ${of}\n`);
    } else if (isOver || now() - shown.drawn >= REDRAW) {
      const left = estimate(share, now() - shown.began);
      output.write(
        `\r\u001b[K${what} ${bar(share)} ${Math.floor(share * 100)} %${left}${isOver ? '\n' : ''}`,
      );
      shown.drawn = now();
    }
    shown.tenth = tenth;
  };
}

function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`;
}

function estimate(share: number, milliseconds: number): string {
  if (share < 0.02 || share === 1) return '';
  const seconds = Math.ceil((milliseconds / share - milliseconds) / 1_000);
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
}
