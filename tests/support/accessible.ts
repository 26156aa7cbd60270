/** Expects that axe finds no faults in a page. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rows in the middle of a long list, except each fourth: they are drawn as the others, and half of the time is spent
 *  on the contrast of each text. */
const MORE_OF_A_LIST = ':is(li, tr):nth-child(n+6):nth-last-child(n+4):not(:nth-child(4n))';

export async function expectAccessible(page: Page, what: string, part = 'html') {
  // The script of axe has 580 KB, and is sent only if the page does not have it yet.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // One call in the page takes the place of several, and of an extra page of axe's own. It leaves out the report of
  // passed rules, a selector for each element and a second copy of each style sheet: they take time, and nobody reads
  // them.
  const axe = new AxeBuilder({ page, axeSource: isThere ? 'true' : undefined })
    .include(part)
    .exclude(MORE_OF_A_LIST)
    .setLegacyMode()
    .options({ resultTypes: ['violations'], selectors: false, preload: false });
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect(found, what).toEqual([]);
}
