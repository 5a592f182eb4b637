/**
 * Measures a subject and its control in turns, so that what the machine does besides falls on both alike. The order turns
 * around from pair to pair: neither always comes first.
 */
export async function inPairs<T>(
  pairs: number,
  subject: (round: number) => Promise<T>,
  control: (round: number) => Promise<T>,
): Promise<(readonly [subject: T, control: T])[]> {
  const measured: (readonly [T, T])[] = [];
  for (let round = 0; round < pairs; round += 1) {
    if (round % 2 === 0) {
      const first = await subject(round);
      measured.push([first, await control(round)]);
    } else {
      const first = await control(round);
      measured.push([await subject(round), first]);
    }
  }
  return measured;
}
