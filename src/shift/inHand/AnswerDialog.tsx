import { Disposition, SnoozeFor } from '#contract/shift/responses.ts';
import { DISPOSITION_WORDS, isSnoozed, SNOOZE_WORDS } from '#contract/shift/responseWords.ts';
import type { Alert } from '../../api/alerts/disruptions.ts';
import { titleOf } from '../../feeds/alerts/alerts.ts';
import { serverNow } from '../../time/freshness.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { act, useAsked, useStateOf } from './inHandStates.ts';
import styles from './inHand.module.css';
import type { Doing } from './sendActions.ts';

const close = () => useAsked.setState({ alert: null, only: null });

/** All answers to one alert. */
export function AnswerDialog() {
  const { alert, only } = useAsked();
  return alert && <Choices alert={alert} only={only} />;
}

function Choices({ alert, only }: { alert: Alert; only: 'snooze' | null }) {
  const state = useStateOf(alert);
  const choose = (doing: Doing) => {
    close();
    void act(alert, doing);
  };

  return (
    <Dialog heading={only ? 'Snooze' : 'Acknowledge'} onClose={close}>
      <p>{titleOf(alert)}</p>
      {!only && (
        <ul className={styles.choices} data-row aria-label="Acknowledge">
          {Disposition.options.map((disposition) => (
            <li key={disposition}>
              <Button
                aria-pressed={state.disposition === disposition && state.lapsed === null}
                onClick={() => choose({ kind: 'acknowledge', disposition })}
              >
                {DISPOSITION_WORDS[disposition]}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!only && <h3>Snooze</h3>}
      <ul className={styles.choices} data-row aria-label="Snooze">
        {isSnoozed(state, serverNow()) && (
          <li>
            <Button onClick={() => choose({ kind: 'snooze', snooze: null })}>End the snooze</Button>
          </li>
        )}
        {SnoozeFor.options.map((snooze) => (
          <li key={snooze}>
            <Button onClick={() => choose({ kind: 'snooze', snooze })}>{SNOOZE_WORDS[snooze]}</Button>
          </li>
        ))}
      </ul>
      <div className={styles.last} data-row>
        {!only && state.disposition !== null && (
          <Button onClick={() => choose({ kind: 'reopen' })}>Reopen</Button>
        )}
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
