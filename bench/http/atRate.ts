/** Begins the work this many times a second for some seconds, whether or not earlier work has ended. Promises the
 *  end of all. */
export async function atRate(aSecond: number, seconds: number, work: () => Promise<unknown>): Promise<void> {
  const running: Promise<unknown>[] = [];
  const began = performance.now();
  for (let at = 0; at < aSecond * seconds; at++) {
    const wait = began + (at * 1000) / aSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(work());
  }
  await Promise.all(running);
}
