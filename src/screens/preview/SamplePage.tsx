import type { ComponentProps } from 'react';
import { DemoSign } from '../../ui/signs/DemoSign.tsx';
import { Page } from '../../ui/page/Page.tsx';
import styles from './SamplePage.module.css';

/** A page of invented events and alerts. The sign that says so stays in sight however far the page is scrolled. */
export function SamplePage(page: ComponentProps<typeof Page>) {
  return (
    <>
      <div className={styles.place} role="status">
        <DemoSign />
      </div>
      <Page {...page} />
    </>
  );
}
