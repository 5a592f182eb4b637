import { checkRecord } from '#core/proof/check.ts';
import { readAllGiven } from '#core/proof/check-log.ts';
import { verdictWords } from '#core/proof/verdict-words.ts';
import { saveFile } from '#site/lib/files.ts';

/** The page as it came, before anything was chosen: what is saved. */
const asItCame = document.documentElement.cloneNode(true) as HTMLElement;

const chosen: Record<'record' | 'given', readonly string[]> = { record: [], given: [] };
const pasted = element<HTMLTextAreaElement>('#pasted');

function element<E extends HTMLElement = HTMLElement>(selector: string): E {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(`${selector} is not in the page`);
  return found;
}

function show(): void {
  const result = element('#result');
  result.hidden = chosen.record.length === 0;
  if (result.hidden) return;
  const given = readAllGiven([...chosen.given, pasted.value]);
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const checked = checkRecord(chosen.record.join('\n'), given, timeZone);
  const { title, advice } = verdictWords(checked);
  result.dataset['outcome'] = checked.outcome;
  element('#outcome').textContent = title;
  element('#advice').textContent = advice;
  const isAdded = chosen.given.length > 0 || pasted.value.trim() !== '';
  element('#unread').hidden = !isAdded || given.checkpoints.length + given.vkeys.length > 0;
  for (const list of result.querySelectorAll<HTMLElement>('[data-list]')) {
    const verdict = list.dataset['list'];
    const texts = checked.findings.flatMap((one) =>
      verdict === 'detail' ? (one.detail ?? []) : one.verdict === verdict ? one.text : [],
    );
    list.hidden = texts.length === 0;
    list.querySelector('ul')?.replaceChildren(
      ...texts.map((text) => {
        const item = document.createElement('li');
        item.textContent = text;
        return item;
      }),
    );
  }
}

async function choose(kind: keyof typeof chosen, files: FileList | null): Promise<void> {
  chosen[kind] = await Promise.all([...(files ?? [])].map((file) => file.text()));
  show();
}

for (const kind of ['record', 'given'] as const) {
  const input = element<HTMLInputElement>(`#${kind}`);
  const drop = element(`[data-drop=${kind}]`);
  input.addEventListener('change', () => void choose(kind, input.files));
  drop.addEventListener('dragover', (event) => {
    event.preventDefault();
    drop.dataset['over'] = '';
  });
  drop.addEventListener('dragleave', () => delete drop.dataset['over']);
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    delete drop.dataset['over'];
    // The field shows which files are looked at, however they came.
    if (event.dataTransfer) input.files = event.dataTransfer.files;
    void choose(kind, input.files);
  });
}
pasted.addEventListener('input', show);

/** The page as one file: its styles in it, no address, and no connection allowed. */
function savedPage(): string {
  const page = asItCame.cloneNode(true) as HTMLElement;
  for (const one of page.querySelectorAll('link, meta[http-equiv], script[src], .topbar, .skip'))
    one.remove();
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";
  const style = document.createElement('style');
  style.textContent = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => !(rule instanceof CSSFontFaceRule))
    .map(({ cssText }) => cssText)
    .join('\n');
  page.querySelector('head')?.append(policy, style);
  return `<!doctype html>\n<html lang="en-AU">${page.getHTML()}</html>\n`;
}

element('#save').addEventListener('click', () => {
  saveFile({ name: 'check-a-job-record.html', text: savedPage(), type: 'text/html' });
});
