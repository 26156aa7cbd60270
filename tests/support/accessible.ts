/** Faults that axe finds with a page: none. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectAccessible(page: Page, what: string, part = 'html') {
  // Its 580 KB of script are sent twice by each call, unless a source is given.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // One call in the page, instead of several and a page of axe's own, and without the report of what passes.
  const axe = new AxeBuilder({ page, axeSource: isThere ? 'true' : undefined })
    .include(part)
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  expect(found, what).toEqual([]);
}
