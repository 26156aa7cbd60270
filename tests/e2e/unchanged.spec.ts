import type { Page, Request, Response } from '@playwright/test';
import { boardShown, expect, openBoard, pauseClock, test, workerReady } from '../support/browser.ts';

/** Size of each answer. */
const MOST_BYTES = 300;
/** Calls of a refresh: the feeds, the team's routes, the changes, and the incidents in hand. */
const CALLS = ['/feeds/', '/watches/', '/changes/', '/responses/'];

async function refresh(page: Page, press: () => Promise<void>): Promise<Response> {
  const answered = page.waitForResponse((response) => response.url().includes('/feeds/'));
  await press();
  const answer = await answered;
  await answer.finished();
  await expect(page.locator('[data-refreshing]')).toHaveCount(0);
  return answer;
}

/** The returned function waits until everything that the screen asks for by itself is answered. */
function answersOf(page: Page): () => Promise<void> {
  const asked = new Set<string>();
  const waiting = new Set<Request>();
  page.on('request', (request) => {
    asked.add(request.url());
    waiting.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => waiting.delete(request));
  const isWhole = () => CALLS.every((call) => [...asked].some((url) => url.includes(call)));
  return () => expect.poll(() => isWhole() && waiting.size === 0).toBe(true);
}

/** Changes in the document while `act` runs, except clocks, ages and the sign of a refresh in progress. */
async function changesDuring(page: Page, act: () => Promise<unknown>): Promise<string[]> {
  await page.evaluate(() => {
    const changes: string[] = [];
    const isTime = (text: string) => /\d\d:\d\d|\bago\b|just now/i.test(text);
    const note = (records: MutationRecord[]) => {
      for (const { type, target, attributeName } of records) {
        if (attributeName === 'data-refreshing') continue;
        if (type === 'characterData' && isTime(target.parentElement?.textContent ?? '')) continue;
        const element = target instanceof Element ? target : target.parentElement;
        // A minute that began just before still turns the clock's tiles.
        if (element?.closest('time')) continue;
        changes.push(`${type} ${attributeName ?? ''} of ${element?.outerHTML.slice(0, 200)}`);
      }
    };
    const observer = new MutationObserver(note);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    Object.assign(window, {
      changesSeen: () => {
        note(observer.takeRecords());
        return changes;
      },
    });
  });
  await act();
  return page.evaluate(() => (window as unknown as { changesSeen(): string[] }).changesSeen());
}

// Movement is off, so every change comes from the refresh.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const pressRefresh = (page: Page) => () => page.getByRole('button', { name: 'Refresh' }).click();

test('without a worker: at most 300 bytes, and no change on the page', async ({ page }) => {
  const whole = answersOf(page);
  await page.clock.install();
  await openBoard(page);
  await whole(); // the board's last calls wait for the page's clock
  await pauseClock(page);
  await refresh(page, pressRefresh(page)); // this one can still bring something new
  await whole();

  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  const asked = new Set<string>();
  browser.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.method === 'GET' && CALLS.some((call) => request.url.includes(call))) asked.add(requestId);
  });
  const bytes: number[] = [];
  browser.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes.push(encodedDataLength);
  });
  const changes = await changesDuring(page, async () => {
    expect((await refresh(page, pressRefresh(page))).status()).toBe(304);
  });
  await expect.poll(() => bytes.length).toBe(CALLS.length);
  for (const count of bytes) expect(count).toBeLessThanOrEqual(MOST_BYTES);
  expect(changes).toEqual([]);
});

test.describe('with a worker', () => {
  test.use({ serviceWorkers: 'allow', hearsWorker: true });

  for (const [screen, path, press] of [
    ['the board', '/disruptions', pressRefresh],
    ['a wall', '/disruptions?display=wall', (page: Page) => () => page.keyboard.press('r')],
  ] as const) {
    test(`${screen}: the worker asks with the ETag of its copy, and nothing changes`, async ({
      page,
      context,
    }) => {
      const whole = answersOf(page);
      await page.clock.install();
      await openBoard(page);
      await workerReady(page);
      if (screen === 'a wall') {
        await page.goto(path);
        await expect(page.getByRole('article', { name: 'Rail Network' })).toBeVisible();
      } else await boardShown(page);
      await whole();
      await pauseClock(page);
      await refresh(page, press(page));
      await whole();

      const askedByWorker: Response[] = [];
      context.on('response', (response) => {
        if (response.request().serviceWorker()) askedByWorker.push(response);
      });
      let answer: Response;
      const changes = await changesDuring(page, async () => {
        answer = await refresh(page, press(page));
      });
      expect(answer!.headers()['x-sw-source']).toBe('validated');
      expect(changes).toEqual([]);
      const isOfFeeds = (response: Response) => response.url().includes('/feeds/');
      await expect.poll(() => askedByWorker.filter(isOfFeeds).length).toBe(1);
      for (const response of askedByWorker) {
        // Five seconds later the page reports that this user has looked, and only later changes are new.
        if (response.url().includes('/changes/')) continue;
        expect(response.status(), response.url()).toBe(304);
        const { responseHeadersSize, responseBodySize } = await response.request().sizes();
        expect(responseHeadersSize + responseBodySize, response.url()).toBeLessThanOrEqual(MOST_BYTES);
      }
    });
  }
});
