import { useState } from 'react';
import { LogoError, logoFrom } from '#site/lib/form/logo-file.ts';

const unreadable = 'This file could not be read, please try another one';

/** A logo on its way from a file that was chosen or dropped. */
export type LogoChoice = Readonly<{
  /** What is wrong with the file, in words; null when nothing is. */
  problem: string | null;
  isReading: boolean;
  take(files: FileList | null): Promise<void>;
  remove(): void;
}>;

/** Reads one image and makes it small in the browser; `onChange` takes its data URL, null for none. */
export function useLogoChoice(onChange: (logo: string | null) => void): LogoChoice {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);

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

  return { problem, isReading, take, remove };
}
