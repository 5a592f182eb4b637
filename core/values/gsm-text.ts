/** The signs of an SMS of 160: the basic set of GSM 03.38, and after it what takes two places. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€';
const signs = new Set(BASIC);

const SPELLED: Readonly<Record<string, string>> = {
  ...{
    '’': "'",
    '‘': "'",
    '“': '"',
    '”': '"',
    '…': '...',
    '–': '-',
    '—': '-',
    '−': '-',
    '‑': '-',
    '•': '-',
    '·': '-',
    '×': 'x',
  },
};

/**
 * A text of an SMS in the signs that all phones share, where that keeps its sense: quotes and dashes plain, macrons and accents off. One
 * sign outside of them makes every part 70 long instead of 160. A text that cannot be spelled so stays as it is.
 */
export function gsmText(text: string): string {
  const spelled = Array.from(text.normalize('NFC'), spell).join('');
  return Array.from(spelled).every((sign) => signs.has(sign)) ? spelled : text;
}

function spell(sign: string): string {
  if (signs.has(sign)) return sign;
  if (/\p{Zs}/u.test(sign)) return ' ';
  return SPELLED[sign] ?? sign.normalize('NFD').replace(/\p{M}/gu, '');
}
