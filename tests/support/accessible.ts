/** Expects that axe finds no faults in a page. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectAccessible(page: Page, what: string, part = 'html') {
  // Without a given source, each call sends its 580 KB of script twice.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // One call in the page, instead of several and an extra page of axe's own. The report of passed rules, a selector for
  // each element and a second copy of each style sheet take time and are not read.
  const axe = new AxeBuilder({ page, axeSource: isThere ? 'true' : undefined })
    .include(part)
    .setLegacyMode()
    .options({ resultTypes: ['violations'], selectors: false, preload: false });
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect(found, what).toEqual([]);
}
