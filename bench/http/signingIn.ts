/** People who sign in, in a separate process, so that their own cost does not count as time that others wait. */
import { atRate } from './atRate.ts';

export interface SigningIn {
  /** The call's address. */
  url: string;
  body: string;
  aSecond: number;
  seconds: number;
}

process.on('message', async ({ url, body, aSecond, seconds }: SigningIn) => {
  await atRate(aSecond, seconds, async () => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (!answer.ok) throw new Error(`A sign-in was answered ${answer.status}`);
    await answer.arrayBuffer();
  });
  process.send!('done');
});
process.on('disconnect', () => process.exit());
process.send!('ready');
