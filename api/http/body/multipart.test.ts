import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { multipartReader } from './multipart.ts';

type Part = { name: string; fileName: string | null; bytes: string };

/** The parts of a body that arrives in these pieces, bytes as Latin-1; the refusal's sentence when there is one. */
function partsOf(body: Uint8Array, type: string, pieces: readonly number[] = []): Part[] | string {
  const parts: Part[] = [];
  try {
    const reader = multipartReader(type, ({ name, fileName }) => {
      const part = { name, fileName, bytes: '' };
      return {
        take: (bytes) => void (part.bytes += Buffer.from(bytes).toString('latin1')),
        end: () => void parts.push(part),
      };
    });
    let at = 0;
    for (const size of pieces) {
      reader.write(body.slice(at, at + size));
      at += size;
    }
    reader.write(body.slice(at));
    reader.end();
    return parts;
  } catch (error) {
    return (error as Error).message;
  }
}

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const TYPE = 'multipart/form-data; boundary=x';
const UNREADABLE = 'The form cannot be read';
const part = (head: string, content = '') => `--x\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;

test('what a browser writes comes back, in whatever pieces it arrives', async () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\r\n', '-', '--', '\r', '\n', 'x', '"', '%22', ';', '\\', 'ā', ' '),
  });
  const bytes = fc.uint8Array({ maxLength: 300 });
  const entry = fc.oneof(fc.tuple(nasty, nasty), fc.tuple(nasty, nasty, bytes));
  const pieces = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 6 }), pieces, async (entries, sizes) => {
      const form = new FormData();
      for (const [name, value, content] of entries) {
        if (content) form.append(name, new File([content], value));
        else form.append(name, value);
      }
      const response = new Response(form);
      const type = response.headers.get('content-type') ?? '';
      const read = partsOf(await response.bytes(), type, sizes);
      const contents = entries.map(([, value, content]) =>
        Buffer.from(content ?? value.replace(/\r\n|\r|\n/g, '\r\n')).toString('latin1'),
      );
      // Whether a text's own line ends are normalised is the writer's to decide.
      const plain = (text: string) => text.replace(/\r\n|\r|\n/g, '\n');
      expect(Array.isArray(read) ? read.map((one) => plain(one.bytes)) : read).toEqual(contents.map(plain));
      const kinds = Array.isArray(read) ? read.map(({ fileName }) => fileName !== null) : [];
      expect(kinds).toEqual(entries.map((one) => one.length === 3));
    }),
  );
});

test('names are read as browsers write them', () => {
  const heads: [string, string | null, string][] = [
    ['a', null, 'content-disposition:form-data;name=a'],
    [
      'a"b\r\n',
      'C:\\x "1".pdf',
      `Content-Disposition: form-data; name="a%22b%0D%0A"; filename="C:\\x %221%22.pdf"`,
    ],
    [
      'a',
      'name="b"; x'.replaceAll('"', "'"),
      `Content-Disposition: form-data; filename="name='b'; x"; name="a"`,
    ],
    ['', '', 'Content-Type: text/plain\r\nCONTENT-DISPOSITION: form-data; name=""; filename=""'],
  ];
  for (const [name, fileName, head] of heads) {
    expect(partsOf(latin1(`${part(head, 'c')}--x--`), TYPE)).toEqual([{ name, fileName, bytes: 'c' }]);
  }
});

test('what stands before the first boundary and behind the last is left out', () => {
  const body = `before\r\n${part(field('a'), '1')}--x--\r\nbehind\r\n${part(field('b'))}`;
  expect(partsOf(latin1(body), TYPE)).toEqual([{ name: 'a', fileName: null, bytes: '1' }]);
});

describe('refused is', () => {
  test.each([
    ['a body that ends too soon', `${part(field('a'), '1')}`],
    ['a part that ends too soon', `${part(field('a'), '1').slice(0, -6)}`],
    ['a body without a boundary', 'nothing'],
    ['nothing', ''],
    ['something else behind a boundary', `--xyz\r\n${field('a')}\r\n\r\n1\r\n--x--`],
    ['a part without headers', '--x\r\n\r\n1\r\n--x--'],
    ['a part without a name', `${part('Content-Disposition: form-data')}--x--`],
    ['a part of another kind', `${part('Content-Disposition: attachment; name="a"')}--x--`],
    ['a name that does not end', `${part('Content-Disposition: form-data; name="a')}--x--`],
  ])('%s', (_what, body) => {
    expect(partsOf(latin1(body), TYPE)).toBe(UNREADABLE);
  });

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
  ])('the type %s', (type) => {
    expect(partsOf(latin1(`${part(field('a'))}--x--`), type)).toBe(UNREADABLE);
  });

  test('a head of more than 2 KiB, as soon as it is seen', () => {
    const reader = multipartReader(TYPE, () => ({ take() {}, end() {} }));
    reader.write(latin1(`--x\r\n${field('a'.repeat(1_900))}`));
    expect(() => reader.write(latin1('a'.repeat(300)))).toThrow('A name in the form is too long');
  });

  test('a long text before the first boundary, as soon as it is seen', () => {
    const reader = multipartReader(TYPE, () => ({ take() {}, end() {} }));
    expect(() => reader.write(latin1('a'.repeat(3_000)))).toThrow(UNREADABLE);
  });
});

test('millions of beginnings of a boundary cost no more than a look at each', () => {
  const content = '\r\n--'.repeat(2_000_000);
  const body = latin1(`${part(field('a'), content)}--x--`);
  const before = process.cpuUsage();
  const pieces = Array.from({ length: 200 }, () => 40_000);
  const [only] = partsOf(body, TYPE, pieces);
  expect((only as Part).bytes).toHaveLength(content.length);
  // A second is a hundred times what it takes.
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});
