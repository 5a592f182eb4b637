import { type ChangeEvent, type DragEvent, useState } from 'react';
import { fileTypeOf, tellingBytes } from '#core/values/file-types.ts';
import { isPictureType, logoUpload, pictureProblems } from '#core/values/uploads.ts';
import { drawnWithin } from '#site/lib/files.ts';

const unreadable = 'This file could not be read, please try another one';

/**
 * A logo that is chosen or dropped: one image, made small in the browser. `onChange` takes its data URL, null for none. `dropping` is for
 * the place that takes a drop, `file` for the input; `problem` is what is wrong with a file, in words.
 */
export function useLogoChoice(onChange: (logo: string | null) => void) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [isOver, setIsOver] = useState(false);

  async function take(files: FileList | null): Promise<void> {
    const [file, ...others] = files ?? [];
    if (!file) return;
    if (others.length > 0) return setProblem('Choose one image only');
    setProblem(null);
    setIsReading(true);
    try {
      onChange(await logoFrom(file));
    } catch (error) {
      if (!(error instanceof LogoError)) console.error(error);
      setProblem(error instanceof LogoError ? error.message : unreadable);
    } finally {
      setIsReading(false);
    }
  }

  function remove(): void {
    setProblem(null);
    onChange(null);
  }

  const dropping = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsOver(false);
      void take(event.dataTransfer.files);
    },
  };
  const file = {
    type: 'file',
    accept: logoUpload.types.join(),
    'aria-describedby': problem === null ? undefined : 'logo-problem',
    onChange({ currentTarget }: ChangeEvent<HTMLInputElement>) {
      void take(currentTarget.files);
      // The same file may be chosen again, after it was removed.
      currentTarget.value = '';
    },
  };
  return { problem, isReading, isOver, dropping, file, remove };
}

/** Beyond this a phone may not have the memory to draw it. */
const MOST_BYTES = 25 * 1024 * 1024;

/** Why a file is no logo, in words for the user. */
class LogoError extends Error {
  override readonly name = 'LogoError';
}

/**
 * A picture of at most 512 by 512 pixels as a data URL, upright as its camera meant it and without what else was in
 * the file. Throws `LogoError` for what is no PNG, JPEG or WebP, is too large, or cannot be drawn.
 */
async function logoFrom(file: File): Promise<string> {
  if (file.size > MOST_BYTES) throw new LogoError(pictureProblems['too large']);
  const type = fileTypeOf(new Uint8Array(await file.slice(0, tellingBytes).arrayBuffer()));
  if (!isPictureType(type)) throw new LogoError(logoUpload.wrongType);
  const { canvas } = await drawnWithin(file, logoUpload.side).catch(() => {
    throw new LogoError(pictureProblems.damaged);
  });
  // A browser that writes no WebP gives a PNG instead, as the standard has it.
  return canvas.toDataURL('image/webp', 0.9);
}
