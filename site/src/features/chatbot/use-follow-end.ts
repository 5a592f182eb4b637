import { type RefObject, type UIEvent, useEffect, useRef } from 'react';

/** Pixels from its end within which a reader counts as being there. */
const NEAR = 64;

/**
 * Scrolls to the end of a growing log, but for a reader who has scrolled up to read; `begun` counts what always brings
 * them back. Give the result to the log as `onScroll`.
 */
export function useFollowEnd(
  log: RefObject<HTMLElement | null>,
  grown: unknown,
  begun: number,
): (event: UIEvent<HTMLElement>) => void {
  const isAtEnd = useRef(true);
  const toEnd = () => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added to the log moves its end.
  useEffect(() => {
    if (isAtEnd.current) toEnd();
  }, [grown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question is looked at, wherever one was.
  useEffect(toEnd, [begun]);
  return ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
  };
}
