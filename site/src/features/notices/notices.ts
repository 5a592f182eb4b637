import notices from '../../../notices.json' with { type: 'json' };

/** The legal notices with the operator's particulars filled in, from `site/notices.json`. */
export type Notice = Readonly<{
  summary: string;
  updated: string;
  sections: readonly { heading: string; paragraphs: readonly string[] }[];
}>;

/** One notice as it is shown. @throws where a text names a particular that the file does not give. */
export function notice(name: 'terms' | 'privacy'): Notice {
  const { summary, sections } = notices[name];
  return {
    summary,
    updated: dayInWords(notices.updated),
    sections: sections.map(({ heading, paragraphs }) => ({ heading, paragraphs: paragraphs.map(fillIn) })),
  };
}

function fillIn(text: string): string {
  return text.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = (notices.operator as Record<string, string>)[key];
    if (!value) throw new Error(`site/notices.json names {${key}} but operator.${key} is empty`);
    return value;
  });
}

/** `2026-01-05` → `5 January 2026`. */
function dayInWords(date: string): string {
  return new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}
