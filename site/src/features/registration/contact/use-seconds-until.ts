import { useEffect, useState } from 'react';

/** Whole seconds until an instant in milliseconds since the epoch, counted down; 0 once it has gone by. */
export function useSecondsUntil(instant: number): number {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((instant - now) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    setNow(Date.now());
    if (isOver && instant <= Date.now()) return;
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, [instant, isOver]);
  return seconds;
}
