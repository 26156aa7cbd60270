import type { SourceReport } from '../../api/alerts/sources.ts';
import { formatDateTime } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { counted } from '../../ui/numbers.ts';
import styles from './SourcesPage.module.css';

/** A source's settings, and what was wrong with its last document. */
export function SourceDialog({
  report,
  busy,
  onTurnOff,
  onClose,
}: {
  report: SourceReport;
  busy: boolean;
  onTurnOff: () => void;
  onClose: () => void;
}) {
  const { name, source, standing, settings, missing_settings, skipped, problems, next_run } = report;
  const missing = missing_settings ?? [];

  return (
    <Dialog heading={name ?? source} onClose={onClose}>
      {missing.length > 0 && (
        <p>
          Set {missing.join(' and ')} in the environment of the server, and start it again. The manual,
          docs/sources.md, says where to get each key.
        </p>
      )}
      {next_run && <p>Next poll {formatDateTime(next_run)}</p>}
      {(settings ?? []).length > 0 && (
        <dl className={styles.settings} data-stack="3">
          {(settings ?? []).map((setting) => (
            <div key={setting.name}>
              <dt>
                <code>{setting.name}</code>{' '}
                {setting.is_set ? 'is set' : setting.required ? 'is missing' : 'is not set'}
              </dt>
              <dd>{setting.about}</dd>
            </div>
          ))}
        </dl>
      )}
      {(skipped ?? 0) > 0 && <p>{counted(skipped ?? 0, 'record')} of the last poll could not be read.</p>}
      {(problems ?? []).length > 0 && (
        <ul className={styles.problems}>
          {(problems ?? []).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <div className={styles.acts} data-row>
        <Button onClick={onClose}>Close</Button>
        {standing !== 'off' && standing !== 'not_set_up' && (
          <Button kind="danger" aria-disabled={busy} onClick={() => !busy && onTurnOff()}>
            Turn off
          </Button>
        )}
      </div>
    </Dialog>
  );
}
